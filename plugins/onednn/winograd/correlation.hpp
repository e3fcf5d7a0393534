// Sums of correlations of images with small kernels by Winograd's method: a block of tiles is transformed, multiplied
// with the transformed kernels at each of the 36 points, and transformed back, all in one thread and its cache.
#pragma once

#include <vector>

#include "library/workspace.hpp"
#include "winograd/packed_kernels.hpp"

namespace sluice::onednn {

// One kernel and the image that it reads. part: the index of the kernel in CorrelationPlan::parts.
struct CorrelationTerm {
    std::size_t part;
    ImageView from;
};

// An image, or one phase of it, and the terms whose sum it is.
struct CorrelationResult {
    ImageView to;
    std::vector<CorrelationTerm> terms;
};

// Describes a correlation, except for its memory.
struct CorrelationPlan {
    bool trains;  // the kernels are new in each launch
    TileGrid grid;
    KernelLayout kernels;
    std::vector<KernelPart> parts;
    std::vector<CorrelationResult> results;
};

class Correlation {
public:
    // threads: the most that run() may use.
    Correlation(CorrelationPlan plan, std::int64_t threads, Layout& workspace);

    // kernels: [O, 3, 3, C]. Writes every pixel of `to` that a map of a result names.
    void run(const sluice_launch& launch, const void* from, const float* kernels, const ImageTarget& to);

private:
    void run_block(const CorrelationResult& result, const void* from, TileRange range, const ImageTarget& to,
                   float* scratch) const;
    void multiply_points(std::size_t part, const float* from, std::int64_t tiles, bool add, float* to) const;

    TileGrid grid_;
    PackedKernels kernels_;
    std::vector<CorrelationResult> results_;
    std::int64_t blocks_;
    TileLayout from_;
    TileLayout to_;
    std::int64_t threads_;
    std::uint64_t scratch_;
};

}  // namespace sluice::onednn
