// Computes an image with few channels from one with many. One row of the image with many channels adds to `kernel` rows
// of the other. That one is kept transposed, [W, H, C], so that these rows lie together and are the columns of a
// product that is long enough for vectors.
#pragma once

#include "conv/targets.hpp"
#include "library/packed_memory.hpp"
#include "narrow/plan.hpp"

namespace sluice::onednn {

class NarrowCorrelation {
public:
    // threads: the most that run() may use.
    NarrowCorrelation(NarrowPlan plan, std::int64_t threads, Layout& workspace);
    // kernels: [O, k, k, C].
    void run(const sluice_launch& launch, const void* from, const float* kernels, const ImageTarget& to);

private:
    const float* pack(const sluice_launch& launch, const float* kernels);
    template <class Element>
    void run_block(const ColumnBlocks::Block& block, const Element* from, const float* matrix, const ImageTarget& to,
                   float* memory) const;
    template <class Element>
    const float* padded_row(const ColumnBlocks::Block& block, const Element* row, float* memory) const;
    template <class Element>
    void store(const ColumnBlocks::Block& block, const float* turned, const ImageTarget& to) const;

    NarrowPlan plan_;
    ColumnBlocks blocks_;
    std::int64_t depth_;          // kernel * from.channels
    std::int64_t width_;          // kernel * channels, padded to whole vectors
    std::int64_t column_step_;    // floats between columns of the transposed image
    std::int64_t turned_floats_;  // of a block
    std::int64_t memory_floats_;
    PackedMemory matrix_;  // [depth_, width_]
    std::uint64_t memory_;
};

}  // namespace sluice::onednn
