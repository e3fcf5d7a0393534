// Rows [count, C] of few channels, or of a number of channels that is no multiple of a vector, are taken several at a
// time as one wide row. It holds whole vectors, and the constants of a channel are repeated along it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace sluice::onednn {

struct WideRows {
    std::int64_t channels;
    std::int64_t together;  // rows of one wide row
    [[nodiscard]] std::int64_t width() const { return channels * together; }

    // Repeats the first C numbers of table [width] in the rest of it.
    template <class Number>
    void repeat(Number* table) const {
        for (std::int64_t i = channels; i < width(); ++i) {
            table[i] = table[i - channels];
        }
    }

    // Adds all sums [width] of a channel to its first one.
    void fold(double* sums) const {
        for (std::int64_t i = channels; i < width(); ++i) {
            sums[i % channels] += sums[i];
        }
    }
};

// Returns how rows [count, C] are grouped.
inline WideRows wide_rows(std::int64_t count, std::int64_t channels) {
    constexpr std::int64_t kVectors = 64;   // elements: four of the longest vectors
    constexpr std::int64_t kWidest = 4096;  // elements; a table of them fits in the first-level cache
    const std::int64_t together = kVectors / std::gcd(channels, kVectors);
    return {channels, together <= count && together * channels <= kWidest ? together : 1};
}

// Elements [begin, end) of a tensor of rows of `width` elements; the last row may be partial.
struct Elements {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t width;
};

}  // namespace sluice::onednn
