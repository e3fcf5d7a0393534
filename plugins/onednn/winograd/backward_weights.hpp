// Gradients of kernels by Winograd's method: the adjoint of Correlation in its kernels. Tiles of the input and of the
// output's gradient are transformed a block at a time and multiplied, for each point [O, tiles] by [tiles, C]. The sums
// over all blocks are transformed back at the end. Kernels are summed in the same order for any number of threads; the
// order of the sums of the bias depends on that number.
#pragma once

#include <vector>

#include "library/workspace.hpp"
#include "winograd/kernels.hpp"
#include "winograd/tiles.hpp"

namespace sluice::onednn {

// One part of the kernel, with the tiles of the input that it reads and those of the result that it adds to.
struct KernelUse {
    KernelPart part;
    ImageView from;
    ImageView to;
};

struct KernelGradientsPlan {
    TileGrid grid;
    std::vector<KernelUse> uses;
};

class KernelGradients {
public:
    // threads: the most that run() may use.
    KernelGradients(KernelGradientsPlan plan, std::int64_t threads, Layout& workspace);

    void run(const sluice_launch& launch, const void* input, const void* gradient, const KernelTarget& target);

private:
    void transform_block(const sluice_launch& launch, const KernelUse& use, TileRange range, const void* input,
                         const void* gradient);
    void multiply_block(const sluice_launch& launch, std::int64_t tiles, bool add) const;
    void multiply_panel(const sluice_launch& launch, std::int64_t item, std::int64_t tiles, bool add) const;
    void store_kernels(const sluice_launch& launch, const KernelPart& part, float* kernels, bool add) const;
    void clear_bias(const sluice_launch& launch) const;
    void store_bias(const sluice_launch& launch, float* bias, bool add) const;

    TileGrid grid_;
    std::vector<KernelUse> uses_;
    std::int64_t filters_;
    std::int64_t channels_;
    std::int64_t threads_;
    std::int64_t blocks_;
    TileLayout from_;
    TileLayout to_;
    std::int64_t point_step_;  // of the products, [kTileProducts][O][from_.width]
    std::uint64_t inputs_;
    std::uint64_t gradients_;
    std::uint64_t products_;
    std::uint64_t sums_;  // [threads][O]: sums of the bias gradient
};

}  // namespace sluice::onednn
