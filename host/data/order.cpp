#include "data/order.hpp"

#include "base/random.hpp"

namespace sluice::data {
namespace {

// Four rounds of a good round function already pass for random; eight cost little and help the tiny domains.
constexpr std::uint64_t kRounds = 8;

}  // namespace

Order::Order(std::uint64_t length, std::uint64_t seed, std::uint64_t epoch, bool shuffle)
    : length_(length), seed_(seed), epoch_(epoch), shuffle_(shuffle), half_bits_(0) {
    while (half_bits_ < 32 && (std::uint64_t{1} << (2 * half_bits_)) < length) {
        ++half_bits_;
    }
}

std::uint64_t Order::operator[](std::uint64_t position) const {
    if (!shuffle_ || length_ < 2) {
        return position;
    }
    const sluice_random_key key{seed_, stable_hash("data.order"), epoch_};
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t index = position;
    do {
        std::uint64_t left = index >> half_bits_;
        std::uint64_t right = index & mask;
        for (std::uint64_t round = 0; round < kRounds; ++round) {
            const std::uint64_t mixed = left ^ (random_bits(key, round << 32 | right) & mask);
            left = right;
            right = mixed;
        }
        index = left << half_bits_ | right;
    } while (index >= length_);
    return index;
}

}  // namespace sluice::data
