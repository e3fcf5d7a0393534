#include "data/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "data/order.hpp"

namespace sluice::data {
namespace {

// Other random orders of the same epoch have other seeds.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t purpose, std::uint64_t number) {
    return random_bits({seed, stable_hash("data.sampling"), number}, purpose);
}

enum Purpose : std::uint64_t { within_blocks = 1, of_blocks, of_start, within_part, of_offset };

std::uint64_t shuffled(const Blocks& blocks, std::uint64_t length, std::uint64_t seed, std::uint64_t epoch,
                       std::uint64_t position) {
    const std::uint64_t whole = blocks.block == 0 ? 0 : length / blocks.block;
    if (whole == 0) {
        return Order(length, seed, epoch, true)[position];
    }
    std::uint64_t index = position;  // what is left behind the whole blocks keeps its place
    if (position < whole * blocks.block) {
        const std::uint64_t together = std::min(blocks.together, whole);
        const std::uint64_t group = position / (blocks.block * together);
        const std::uint64_t first = group * together;
        const std::uint64_t count = std::min(together, whole - first) * blocks.block;
        const std::uint64_t within =
            Order(count, seed_of(seed, within_blocks, group), epoch, true)[position - first * blocks.block];
        const std::uint64_t block =
            Order(whole, seed_of(seed, of_blocks, 0), epoch, true)[first + within / blocks.block];
        index = block * blocks.block + within % blocks.block;
    }
    // Which samples are left is another matter in each epoch.
    return (index + seed_of(seed, of_start, epoch) % length) % length;
}

}  // namespace

Sampling::Sampling(Draws draws, std::uint64_t seed, bool shuffle)
    : draws_(std::move(draws)), seed_(seed), shuffle_(shuffle) {
    const double whole = std::transform_reduce(draws_.parts.begin(), draws_.parts.end(), 0.0, std::plus<>{},
                                               [](const Part& part) { return part.weight; });
    std::uint64_t index = 0;
    double weight = 0.0;
    std::uint64_t place = 0;
    for (const Part& part : draws_.parts) {
        weight += part.weight;
        const auto end = static_cast<std::uint64_t>(std::llround(static_cast<double>(draws_.length) * weight / whole));
        shares_.push_back({index, part.length, place, end - place});
        index += part.length;
        place = end;
    }
}

std::uint64_t Sampling::index(std::uint64_t epoch, std::uint64_t position) const {
    position %= draws_.length;
    if (!shuffle_) {
        return position;
    }
    const std::uint64_t place = shuffled(draws_.blocks, draws_.length, seed_, epoch, position);
    return draws_.weight_sums != nullptr ? of_weights(epoch, place) : shares_.empty() ? place : of_parts(epoch, place);
}

// The samples of a source follow each other over the epochs: all of them come before one comes again.
std::uint64_t Sampling::of_parts(std::uint64_t epoch, std::uint64_t place) const {
    const auto after = std::ranges::upper_bound(shares_, place, {}, &Share::first_place);
    const Share& share = *std::prev(after);
    const auto number = static_cast<std::uint64_t>(std::prev(after) - shares_.begin());
    const std::uint64_t ordinal = epoch * share.places + (place - share.first_place);
    return share.first_index + shuffled(draws_.blocks, share.length, seed_of(seed_, within_part, number),
                                        ordinal / share.length, ordinal % share.length);
}

// Systematic sampling: equal steps over the sums, from a random start.
std::uint64_t Sampling::of_weights(std::uint64_t epoch, std::uint64_t place) const {
    const std::vector<double>& sums = *draws_.weight_sums;
    const double start = static_cast<double>(seed_of(seed_, of_offset, epoch) >> 11) * 0x1p-53;
    const double at = (static_cast<double>(place) + start) * sums.back() / static_cast<double>(draws_.length);
    const auto found = std::ranges::upper_bound(sums, at);
    // At the very end the sum may be met by rounding: the last sample that has a weight.
    return static_cast<std::uint64_t>((found != sums.end() ? found : std::ranges::lower_bound(sums, sums.back())) -
                                      sums.begin());
}

}  // namespace sluice::data
