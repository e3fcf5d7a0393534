// Divides indices by numbers that are fixed for a launch, with a multiplication and a shift. The GPU's own division
// takes about twenty instructions.
#pragma once

#include <cstdint>

namespace sluice::cudnn {

// Divides numbers below 2^31 by 1 to 2^31 - 1. It multiplies by ceil(2^(31 + s) / divisor) and shifts right by 31 + s,
// where 2^s is the least power of two that is not below the divisor. Rounding up adds less than 1 / divisor.
class Divider {
public:
    Divider() = default;
    constexpr explicit Divider(std::int64_t divisor) : divisor_(static_cast<std::uint32_t>(divisor)) {
        while ((std::int64_t{1} << (shift_ - 31)) < divisor) {
            ++shift_;
        }
        const std::uint64_t power = std::uint64_t{1} << shift_;
        multiplier_ = static_cast<std::uint32_t>((power + divisor_ - 1) / divisor_);
    }

    [[nodiscard]] constexpr std::uint32_t divisor() const { return divisor_; }
    [[nodiscard]] constexpr std::uint32_t quotient(std::uint32_t index) const {
        return static_cast<std::uint32_t>(std::uint64_t{index} * multiplier_ >> shift_);
    }
    // Divides `index` in place and returns the remainder.
    [[nodiscard]] constexpr std::uint32_t split(std::uint32_t& index) const {
        const std::uint32_t whole = quotient(index);
        const std::uint32_t rest = index - whole * divisor_;
        index = whole;
        return rest;
    }

private:
    std::uint32_t divisor_ = 1;
    std::uint32_t multiplier_ = std::uint32_t{1} << 31;
    std::uint32_t shift_ = 31;
};

}  // namespace sluice::cudnn
