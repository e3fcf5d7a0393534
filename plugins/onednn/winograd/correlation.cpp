#include "winograd/correlation.hpp"

#include <algorithm>
#include <utility>

#include "gemm/multiply.hpp"
#include "sluice/sdk/host.hpp"

namespace sluice::onednn {
namespace {

// Bytes of the transformed tiles of a block, before and after multiplication. They are somewhat more than a core's own
// cache holds, because a block that is too small reads the kernels from the last-level cache too often.
constexpr std::int64_t kBlockBytes = 3 << 20;
constexpr std::int64_t kLeastTiles = 12;
constexpr std::int64_t kMostTiles = 96;

// Returns a number of equal blocks that divides well among the threads.
std::int64_t count_blocks(const TileGrid& grid, const KernelLayout& kernels, std::int64_t threads) {
    const std::int64_t tile_bytes = kTileProducts * 4 * (kernels.depth + kernels.columns);
    const std::int64_t tiles = std::clamp(kBlockBytes / tile_bytes, kLeastTiles, kMostTiles);
    const std::int64_t blocks = round_up((grid.count() + tiles - 1) / tiles, threads);
    return std::min(blocks, grid.count());
}

}  // namespace

Correlation::Correlation(CorrelationPlan plan, std::int64_t threads, Layout& workspace)
    : grid_(plan.grid),
      kernels_(plan.kernels, std::move(plan.parts), plan.trains, workspace),
      results_(std::move(plan.results)),
      blocks_(count_blocks(grid_, plan.kernels, threads)),
      from_((grid_.count() + blocks_ - 1) / blocks_, plan.kernels.depth, 0),
      to_(from_.tiles, plan.kernels.columns, 0),
      threads_(threads),
      scratch_(workspace.take(static_cast<std::uint64_t>(threads_) * (from_.bytes() + to_.bytes()))) {}

void Correlation::run(const sluice_launch& launch, const void* from, const float* kernels, const ImageTarget& to) {
    kernels_.renew(launch, kernels);
    const std::uint64_t thread_floats = (from_.bytes() + to_.bytes()) / sizeof(float);
    const std::int64_t grain = (blocks_ + threads_ - 1) / threads_;  // no more pieces than there is scratch for
    sdk::parallel_for(launch.threads, blocks_, grain, [&](std::int64_t begin, std::int64_t end, std::uint32_t piece) {
        float* scratch = at(launch, scratch_) + piece * thread_floats;
        for (std::int64_t block = begin; block < end; ++block) {
            const TileRange range{block * grid_.count() / blocks_, (block + 1) * grid_.count() / blocks_};
            for (const CorrelationResult& result : results_) {
                run_block(result, from, range, to, scratch);
            }
        }
    });
}

void Correlation::run_block(const CorrelationResult& result, const void* from, TileRange range, const ImageTarget& to,
                            float* scratch) const {
    float* products = scratch + from_.bytes() / sizeof(float);
    bool add = false;
    for (const CorrelationTerm& term : result.terms) {
        transform_input(grid_, term.from, from, range, from_, scratch);
        multiply_points(term.part, scratch, range.end - range.begin, add, products);
        add = true;
    }
    transform_output(grid_, result.to, products, range, to_, to);
}

void Correlation::multiply_points(std::size_t part, const float* from, std::int64_t tiles, bool add, float* to) const {
    const KernelLayout& layout = kernels_.layout();
    for (std::int64_t point = 0; point < kTileProducts; ++point) {
        for (std::int64_t panel = 0; panel < layout.panels(); ++panel) {
            const std::int64_t index = panel + 1 < layout.panels() ? panel + 1 : 0;
            const std::int64_t next_point = index == 0 ? point + 1 : point;
            multiply({.a = from + point * from_.point_step,
                      .a_row = from_.width,
                      .a_step = 1,
                      .b = kernels_.matrix(part, panel, point),
                      .b_row = layout.panel_width(panel),
                      .c = to + point * to_.point_step + panel * layout.panel,
                      .c_row = to_.width,
                      .rows = tiles,
                      .columns = layout.panel_width(panel),
                      .depth = layout.depth,
                      .add = add,
                      .next = next_point < kTileProducts ? kernels_.matrix(part, index, next_point) : nullptr});
        }
    }
}

}  // namespace sluice::onednn
