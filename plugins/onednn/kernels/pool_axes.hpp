// The axes of a pooling node [N, H, W, C], and the order in which its kernels walk over them.
#pragma once

#include "math/pool_axis.hpp"
#include "math/pool_loops.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

struct PoolAxes {
    explicit PoolAxes(const sdk::Node& node);

    // Pixel (oh, ow) of sample n reads this part of x.
    [[nodiscard]] PoolWindow window(const float* x, std::int64_t n, std::int64_t oh, std::int64_t ow) const;

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

}  // namespace sluice::onednn
