// The axes of a pooling node [N, H, W, C], and the order in which its kernels walk over them.
#pragma once

#include <algorithm>

#include "math/pool_axis.hpp"
#include "math/pool_loops.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

struct PoolAxes {
    explicit PoolAxes(const sdk::Node& node);

    // Pixel (oh, ow) of sample n reads this part of x.
    [[nodiscard]] PoolWindow window(const float* x, std::int64_t n, std::int64_t oh, std::int64_t ow) const;

    // Where output pixel (oh, ow) of sample n begins.
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

// The gradient of x, row by row, so that no two threads write to one place: gather(n, oh, h, to) adds to row h, at
// `to`, what it gave to output row oh of sample n. accumulate: all is added to what is there.
template <class Gather>
void gather_rows(const sluice_launch& launch, const PoolAxes& axes, bool accumulate, const Gather& gather) {
    float* const gradient = sdk::input_gradient<float>(launch, 0);
    if (gradient == nullptr) {
        return;
    }
    const std::int64_t row = axes.width.in * axes.channels;
    for_rows(launch, axes.batch, axes.height.in, [&](std::int64_t n, std::int64_t h) {
        float* const to = gradient + (n * axes.height.in + h) * row;
        if (!accumulate) {
            std::fill_n(to, row, 0.0F);
        }
        const std::int64_t end = axes.height.end_readers(h);
        for (std::int64_t oh = axes.height.begin_readers(h); oh < end; ++oh) {
            gather(n, oh, h, to);
        }
    });
}

}  // namespace sluice::onednn
