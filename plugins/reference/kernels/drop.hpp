// What a random word decides in dropout and stochastic_depth. See types/dropout.hpp for the rule.
#pragma once

#include <cstdint>

#include "sluice/sdk/options.hpp"

namespace sluice::reference {

template <class T>
class Drop {
public:
    explicit Drop(const sdk::Options& options)
        : threshold_(options.number("rate") * 0x1p32), kept_(static_cast<T>(1.0 / (1.0 - options.number("rate")))) {}

    // The factor of what the word belongs to: 0 if it is dropped.
    [[nodiscard]] T factor(std::uint32_t word) const { return word < threshold_ ? T{0} : kept_; }

private:
    double threshold_;
    T kept_;
};

}  // namespace sluice::reference
