// Rows [count, C] of few channels, or of channels that vectors do not divide, are taken several at a time as one wide
// row: it holds whole vectors, and the constants of a channel are repeated along it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace sluice::onednn {

struct WideRows {
    std::int64_t channels;
    std::int64_t together;  // rows of one wide row
    [[nodiscard]] std::int64_t width() const { return channels * together; }

    // table: [width], of which the first C are set. The others become the same.
    template <class Number>
    void repeat(Number* table) const {
        for (std::int64_t i = channels; i < width(); ++i) {
            table[i] = table[i - channels];
        }
    }

    // sums: [width]. Those of a channel are added to its first.
    void fold(double* sums) const {
        for (std::int64_t i = channels; i < width(); ++i) {
            sums[i % channels] += sums[i];
        }
    }
};

// How rows [count, C] are taken.
inline WideRows wide_rows(std::int64_t count, std::int64_t channels) {
    constexpr std::int64_t kVectors = 64;   // elements: four of the longest vectors
    constexpr std::int64_t kWidest = 4096;  // a table of it fits in the first cache
    const std::int64_t together = kVectors / std::gcd(channels, kVectors);
    return {channels, together <= count && together * channels <= kWidest ? together : 1};
}

// Elements [begin, end) of a tensor of rows of `width` elements, of which the last may be cut short.
struct Elements {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t width;
};

}  // namespace sluice::onednn
