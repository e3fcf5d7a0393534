#include "winograd/backward_weights.hpp"

#include <algorithm>
#include <utility>

#include "gemm/multiply.hpp"
#include "sluice/sdk/host.hpp"

namespace sluice::onednn {
namespace {

// A block of many tiles saves passes over the products, which are as large as the kernels. The transformed
// tiles of a small block stay in the last-level cache.
constexpr std::int64_t kBlockBytes = 24 << 20;
constexpr std::int64_t kLeastTiles = 64;
constexpr std::int64_t kMostTiles = 384;

std::int64_t count_blocks(const TileGrid& grid, std::int64_t channels) {
    const std::int64_t tiles = std::clamp(kBlockBytes / (kTileProducts * 4 * channels), kLeastTiles, kMostTiles);
    return (grid.count() + tiles - 1) / tiles;
}

// Rows of a product that lie together: a multiple of what multiply() takes at once and of all vector lengths.
constexpr std::int64_t kFilterPanel = 48;

}  // namespace

KernelGradients::KernelGradients(KernelGradientsPlan plan, std::int64_t threads, Layout& workspace)
    : grid_(plan.grid),
      uses_(std::move(plan.uses)),
      filters_(uses_[0].to.channels),
      channels_(uses_[0].from.channels),
      threads_(threads),
      blocks_(count_blocks(grid_, filters_ + channels_)),
      from_((grid_.count() + blocks_ - 1) / blocks_, channels_, panel_width()),
      to_(from_.tiles, filters_, kFilterPanel),
      point_step_(filters_ * from_.width + 16),
      inputs_(workspace.take(from_.bytes())),
      gradients_(workspace.take(to_.bytes())),
      products_(workspace.take(static_cast<std::uint64_t>(kTileProducts * point_step_) * sizeof(float))),
      sums_(workspace.take(static_cast<std::uint64_t>(threads_ * filters_) * sizeof(float))) {}

void KernelGradients::run(const sluice_launch& launch, const void* input, const void* gradient,
                          const KernelTarget& target) {
    clear_bias(launch);
    bool add = target.add;
    for (const KernelUse& use : uses_) {
        for (std::int64_t block = 0; block < blocks_; ++block) {
            const TileRange range{block * grid_.count() / blocks_, (block + 1) * grid_.count() / blocks_};
            transform_block(launch, use, range, input, gradient);
            multiply_block(launch, range.end - range.begin, block > 0);
        }
        if (target.kernels != nullptr) {
            store_kernels(launch, use.part, target.kernels, add);
        }
        add = true;
    }
    if (target.bias != nullptr) {
        store_bias(launch, target.bias, target.add);
    }
}

void KernelGradients::transform_block(const sluice_launch& launch, const KernelUse& use, TileRange range,
                                      const void* input, const void* gradient) {
    const std::int64_t tiles = range.end - range.begin;
    const std::int64_t grain = (tiles + threads_ - 1) / threads_;
    sdk::parallel_for(launch.threads, tiles, grain, [&](std::int64_t begin, std::int64_t end, std::uint32_t piece) {
        const TileRange part{range.begin + begin, range.begin + end};
        transform_input(grid_, use.from, input, part, from_.shifted(begin), at(launch, inputs_));
        transform_gradient(grid_, use.to, gradient, part, to_.shifted(begin), at(launch, gradients_),
                           at(launch, sums_) + piece * filters_);
    });
}

void KernelGradients::multiply_block(const sluice_launch& launch, std::int64_t tiles, bool add) const {
    sdk::parallel_for(launch.threads, kTileProducts * to_.panels(), 1,
                      [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                          for (std::int64_t item = begin; item < end; ++item) {
                              multiply_panel(launch, item, tiles, add);
                          }
                      });
}

void KernelGradients::multiply_panel(const sluice_launch& launch, std::int64_t item, std::int64_t tiles,
                                     bool add) const {
    const std::int64_t point = item / to_.panels();
    const std::int64_t row_panel = item % to_.panels();
    const std::int64_t row = row_panel * to_.panel;
    const float* inputs = at(launch, inputs_) + point * from_.point_step;
    for (std::int64_t panel = 0; panel < from_.panels(); ++panel) {
        const std::int64_t next = panel + 1 < from_.panels() ? panel + 1 : 0;
        multiply({.a = at(launch, gradients_) + point * to_.point_step + to_.panel_begin(row_panel),
                  .a_row = 1,
                  .a_step = to_.panel_width(row_panel),
                  .b = inputs + from_.panel_begin(panel),
                  .b_row = from_.panel_width(panel),
                  .c = at(launch, products_) + point * point_step_ + row * from_.width + panel * from_.panel,
                  .c_row = from_.width,
                  .rows = std::min(to_.panel_width(row_panel), filters_ - row),
                  .columns = from_.panel_width(panel),
                  .depth = tiles,
                  .add = add,
                  .next = inputs + from_.panel_begin(next)});
    }
}

void KernelGradients::store_kernels(const sluice_launch& launch, const KernelPart& part, float* kernels,
                                    bool add) const {
    sdk::parallel_for(launch.threads, filters_, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
        for (std::int64_t filter = begin; filter < end; ++filter) {
            transform_kernel_gradient({.from = at(launch, products_) + filter * from_.width,
                                       .point_step = point_step_,
                                       .part = part,
                                       .channels = channels_,
                                       .add = add},
                                      kernels + filter * 9 * channels_);
        }
    });
}

void KernelGradients::clear_bias(const sluice_launch& launch) const {
    std::fill_n(at(launch, sums_), threads_ * filters_, 0.0F);
}

void KernelGradients::store_bias(const sluice_launch& launch, float* bias, bool add) const {
    for (std::int64_t filter = 0; filter < filters_; ++filter) {
        double sum = 0.0;
        for (std::int64_t thread = 0; thread < threads_; ++thread) {
            sum += at(launch, sums_)[thread * filters_ + filter];
        }
        bias[filter] = (add ? bias[filter] : 0.0F) + static_cast<float>(sum);
    }
}

}  // namespace sluice::onednn
