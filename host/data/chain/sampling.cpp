#include "data/chain/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "data/chain/order.hpp"

namespace sluice::data {
namespace {

// Derives an independent seed for each random order.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t purpose, std::uint64_t number) {
    return random_bits({seed, stable_hash("data.sampling"), number}, purpose);
}

enum Purpose : std::uint64_t { within_blocks = 1, of_blocks, of_start, within_part, of_offset };

// A random order of all samples, or of blocks and of the samples within groups of blocks.
class Shuffle {
public:
    Shuffle(const Blocks& blocks, std::uint64_t length, std::uint64_t seed, std::uint64_t epoch)
        : block_(blocks.block),
          length_(length),
          seed_(seed),
          epoch_(epoch),
          whole_(block_ == 0 ? 0 : length / block_),
          together_(std::min(blocks.together, whole_)) {}

    [[nodiscard]] std::uint64_t index_at(std::uint64_t position) const {
        if (whole_ == 0) {
            return of_all()[position];
        }
        std::uint64_t index = position;  // the rest after the last whole block keeps its place
        if (position < whole_ * block_) {
            const std::uint64_t first = first_of_group(position / block_);
            const std::uint64_t within = within_group(first)[position - first * block_];
            index = of_whole_blocks()[first + within / block_] * block_ + within % block_;
        }
        return (index + start()) % length_;
    }
    [[nodiscard]] std::uint64_t position_of(std::uint64_t index) const {
        if (whole_ == 0) {
            return of_all().position_of(index);
        }
        const std::uint64_t from = (index + length_ - start()) % length_;
        if (from >= whole_ * block_) {
            return from;
        }
        const std::uint64_t place = of_whole_blocks().position_of(from / block_);
        const std::uint64_t first = first_of_group(place);
        return first * block_ + within_group(first).position_of((place - first) * block_ + from % block_);
    }

private:
    [[nodiscard]] Order of_all() const { return {length_, seed_, epoch_, true}; }
    [[nodiscard]] Order of_whole_blocks() const { return {whole_, seed_of(seed_, of_blocks, 0), epoch_, true}; }
    // The order of the samples in the group that begins with block `first` of the block order.
    [[nodiscard]] Order within_group(std::uint64_t first) const {
        return {std::min(together_, whole_ - first) * block_, seed_of(seed_, within_blocks, first / together_), epoch_,
                true};
    }
    [[nodiscard]] std::uint64_t first_of_group(std::uint64_t block) const { return block / together_ * together_; }
    // A random offset per epoch, so that the rest after the last whole block consists of other samples each time.
    [[nodiscard]] std::uint64_t start() const { return seed_of(seed_, of_start, epoch_) % length_; }

    std::uint64_t block_;
    std::uint64_t length_;
    std::uint64_t seed_;
    std::uint64_t epoch_;
    std::uint64_t whole_;     // number of whole blocks
    std::uint64_t together_;  // blocks in a group
};

}  // namespace

Sampling::Sampling(Draws draws, std::uint64_t seed, bool shuffle, std::uint64_t repeated)
    : draws_(std::move(draws)), seed_(seed), shuffle_(shuffle), repeated_(repeated) {
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

Drawn Sampling::draw(std::uint64_t epoch, std::uint64_t position) const {
    position %= draws_.length;
    if (repeated_ > 0) {
        position %= repeated_;
        epoch = 0;
    }
    if (!shuffle_) {
        return {position};
    }
    const std::uint64_t place = Shuffle(draws_.blocks, draws_.length, seed_, epoch).index_at(position);
    if (draws_.weight_sums != nullptr) {
        return of_weights(epoch, place);
    }
    return shares_.empty() ? Drawn{place} : of_parts(epoch, place);
}

// Each source continues its pass over its samples from one epoch to the next: all samples come before one comes again.
Drawn Sampling::of_parts(std::uint64_t epoch, std::uint64_t place) const {
    const auto after = std::ranges::upper_bound(shares_, place, {}, &Share::first_place);
    const Share& share = *std::prev(after);
    const auto number = static_cast<std::uint64_t>(std::prev(after) - shares_.begin());
    const auto pass = [&](std::uint64_t which) {
        return Shuffle(draws_.blocks, share.length, seed_of(seed_, within_part, number), which);
    };
    const std::uint64_t begin = epoch * share.places;  // draws from this source before the epoch
    const std::uint64_t ordinal = begin + (place - share.first_place);
    const std::uint64_t index = pass(ordinal / share.length).index_at(ordinal % share.length);
    std::uint64_t repeat = ordinal / share.length - begin / share.length;
    // The epoch's first pass may have drawn the sample in the previous epoch already.
    if (repeat > 0 && pass(begin / share.length).position_of(index) < begin % share.length) {
        --repeat;
    }
    return {share.first_index + index, repeat};
}

// Systematic sampling: equal steps over the sums, from a random start.
Drawn Sampling::of_weights(std::uint64_t epoch, std::uint64_t place) const {
    const std::vector<double>& sums = *draws_.weight_sums;
    const double start = static_cast<double>(seed_of(seed_, of_offset, epoch) >> 11) * 0x1p-53;
    const auto sum_at = [&](std::uint64_t at) {
        return (static_cast<double>(at) + start) * sums.back() / static_cast<double>(draws_.length);
    };
    const auto found = std::ranges::upper_bound(sums, sum_at(place));
    // At the very end, rounding may reach the whole sum: take the last sample that has a weight.
    const auto index = static_cast<std::uint64_t>(
        (found != sums.end() ? found : std::ranges::lower_bound(sums, sums.back())) - sums.begin());
    // The places of a sample are consecutive; find the first by bisection.
    const double least = index == 0 ? 0.0 : sums[index - 1];
    std::uint64_t first = 0;
    for (std::uint64_t last = place; first < last;) {
        const std::uint64_t middle = first + (last - first) / 2;
        if (sum_at(middle) < least) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return {index, place - first};
}

}  // namespace sluice::data
