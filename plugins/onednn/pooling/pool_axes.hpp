// The axes of a pooling node [N, H, W, C], and the order in which its kernels walk over them.
#pragma once

#include <algorithm>

#include "math/conversions.hpp"
#include "math/pool_axis.hpp"
#include "math/pool_loops.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

struct PoolAxes {
    explicit PoolAxes(const sdk::Node& node);

    // Returns the part of x that output pixel (oh, ow) of sample n reads.
    template <class Element>
    [[nodiscard]] PoolWindow<Element> window(const Element* x, std::int64_t n, std::int64_t oh, std::int64_t ow) const {
        const std::int64_t r = height.first(oh);
        const std::int64_t s = width.first(ow);
        const std::int64_t row = n * height.in + height.origin(oh) + r;
        return {.corner = x + (row * width.in + width.origin(ow) + s) * channels,
                .rows = height.last(oh) - r,
                .columns = width.last(ow) - s,
                .row_step = width.in * channels,
                .first_tap = r * width.kernel + s,
                .kernel = width.kernel,
                .channels = channels};
    }

    // Returns where output pixel (oh, ow) of sample n begins.
    [[nodiscard]] std::int64_t output_at(std::int64_t n, std::int64_t oh, std::int64_t ow) const {
        return ((n * height.out + oh) * width.out + ow) * channels;
    }

    std::int64_t batch = 0;
    std::int64_t channels = 0;
    PoolAxis height;
    PoolAxis width;
};

// Calls body(n, row) for each row of each sample in [0, batch) x [0, rows) on the replica's threads.
template <class Body>
void for_rows(const sluice_launch& launch, std::int64_t batch, std::int64_t rows, const Body& body) {
    sdk::parallel_for(launch.threads, batch * rows, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
        for (std::int64_t i = begin; i < end; ++i) {
            body(i / rows, i % rows);
        }
    });
}

// Some channels of input pixel (h, w) and of output pixel (oh, ow), which reads it. Gradients are summed in float32 at
// `to`. gradient_at: where these channels begin in the output, and in what forward saved for it.
struct PoolGradient {
    float* to;
    std::int64_t h;
    std::int64_t w;
    std::int64_t oh;
    std::int64_t ow;
    std::int64_t gradient_at;
    std::int64_t channels;
};

// Computes the gradient of x pixel by pixel, so that no two threads write to the same place. gather(PoolGradient) adds
// the share of one output pixel. accumulate: adds to the gradient instead of overwriting it.
template <class Element, class Gather>
void gather_pixels(const sluice_launch& launch, const PoolAxes& axes, bool accumulate, const Gather& gather) {
    constexpr std::int64_t kBlock = 256;  // channels
    const std::int64_t blocks = (axes.channels - 1) / kBlock + 1;
    auto* const gradient = sdk::input_gradient<Element>(launch, 0);
    if (gradient == nullptr) {
        return;
    }
    const PoolAxis& height = axes.height;
    const PoolAxis& width = axes.width;
    for_rows(launch, axes.batch, height.in, [&](std::int64_t n, std::int64_t h) {
        const std::int64_t begin_row = height.begin_readers(h);
        const std::int64_t end_row = height.end_readers(h);
        for (std::int64_t i = 0; i < width.in * blocks; ++i) {
            const std::int64_t w = i / blocks;
            const std::int64_t first = i % blocks * kBlock;
            const std::int64_t count = std::min(kBlock, axes.channels - first);
            Element* const mine = gradient + ((n * height.in + h) * width.in + w) * axes.channels + first;
            float block[kBlock];
            float* const sums = float_buffer(mine, block);
            if (!accumulate) {
                std::fill_n(sums, count, 0.0F);
            } else if (sums == block) {
                convert(block, mine, count, false);
            }
            const std::int64_t begin_column = width.begin_readers(w);
            const std::int64_t end_column = width.end_readers(w);
            for (std::int64_t oh = begin_row; oh < end_row; ++oh) {
                for (std::int64_t ow = begin_column; ow < end_column; ++ow) {
                    gather(PoolGradient{sums, h, w, oh, ow, axes.output_at(n, oh, ow) + first, count});
                }
            }
            store_buffer(mine, sums, count);
        }
    });
}

}  // namespace sluice::onednn
