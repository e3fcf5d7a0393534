// The axes of a pooling of [N, H, W, C], for its kernels: which taps of a window are inside the input, and which
// windows read an element of it.
#pragma once

#include "cuda/divide.cuh"
#include "cuda/image_places.cuh"
#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

struct PoolAxis {
    Divider in;  // extent of the input
    Divider out;
    Divider stride;
    std::int32_t kernel = 1;
    std::int32_t before = 0;  // padding before the input

    // Returns the position of tap 0 of output o; negative: it is in the padding.
    [[nodiscard]] constexpr std::int32_t origin(std::uint32_t o) const {
        return static_cast<std::int32_t>(o * stride.divisor()) - before;
    }
    // Returns the taps of output o that are inside the input.
    [[nodiscard]] constexpr IndexRange taps(std::uint32_t o) const {
        const std::int32_t first = origin(o);
        const std::int32_t end = static_cast<std::int32_t>(in.divisor()) - first;
        return {static_cast<std::uint32_t>(first < 0 ? -first : 0),
                static_cast<std::uint32_t>(end < kernel ? end : kernel)};
    }
    // Returns the outputs that read position i: those with first < o * stride <= last.
    [[nodiscard]] constexpr IndexRange readers(std::uint32_t i) const {
        const std::int32_t last = static_cast<std::int32_t>(i) + before;
        const std::int32_t first = last - kernel;
        const std::uint32_t end = stride.quotient(static_cast<std::uint32_t>(last)) + 1;
        return {first < 0 ? 0 : stride.quotient(static_cast<std::uint32_t>(first)) + 1,
                end < out.divisor() ? end : out.divisor()};
    }
};

struct PoolAxes {
    explicit PoolAxes(const sdk::Node& node);

    std::int64_t batch;
    std::int64_t channels;
    PoolAxis height;
    PoolAxis width;
};

}  // namespace sluice::cudnn
