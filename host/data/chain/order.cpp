#include "data/chain/order.hpp"

#include <utility>

#include "base/random.hpp"

namespace sluice::data {
namespace {

// Four rounds of a good round function already look random; eight cost little and help very small domains.
constexpr std::uint64_t kRounds = 8;

}  // namespace

Order::Order(std::uint64_t length, std::uint64_t seed, std::uint64_t epoch, bool shuffle)
    : length_(length), seed_(seed), epoch_(epoch), shuffle_(shuffle), half_bits_(0) {
    while (half_bits_ < 32 && (std::uint64_t{1} << (2 * half_bits_)) < length) {
        ++half_bits_;
    }
}

std::uint64_t Order::operator[](std::uint64_t position) const { return walk(position, false); }

std::uint64_t Order::position_of(std::uint64_t index) const { return walk(index, true); }

std::uint64_t Order::walk(std::uint64_t from, bool inverse) const {
    if (!shuffle_ || length_ < 2) {
        return from;
    }
    const sluice_random_key key{seed_, stable_hash("data.order"), epoch_};
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t at = from;
    do {
        std::uint64_t left = at >> half_bits_;
        std::uint64_t right = at & mask;
        if (inverse) {  // the inverse runs the same rounds backwards with the halves swapped
            std::swap(left, right);
        }
        for (std::uint64_t i = 0; i < kRounds; ++i) {
            const std::uint64_t round = inverse ? kRounds - 1 - i : i;
            const std::uint64_t mixed = left ^ (random_bits(key, round << 32 | right) & mask);
            left = right;
            right = mixed;
        }
        if (inverse) {
            std::swap(left, right);
        }
        at = left << half_bits_ | right;
    } while (at >= length_);
    return at;
}

}  // namespace sluice::data
