// Transformed kernels of one or more parts.
#pragma once

#include <vector>

#include "library/packed_memory.hpp"
#include "sluice/kind/kernel.h"
#include "winograd/kernels.hpp"

namespace sluice::onednn {

class PackedKernels {
public:
    PackedKernels(const KernelLayout& layout, std::vector<KernelPart> parts, bool trains, Layout& workspace);

    // kernels: [O, 3, 3, C], a parameter of this launch. Transforms them on its threads if they are new.
    void renew(const sluice_launch& launch, const float* kernels);
    // Returns the matrix [depth, panel] of one point of one part for one panel of columns. Call renew() first in each
    // launch.
    [[nodiscard]] const float* matrix(std::size_t part, std::int64_t panel, std::int64_t point) const {
        return matrices_ + part * layout_.count() + layout_.panel_begin(panel) + point * layout_.point_step(panel);
    }
    [[nodiscard]] const KernelLayout& layout() const { return layout_; }

private:
    KernelLayout layout_;
    std::vector<KernelPart> parts_;
    PackedMemory memory_;
    float* matrices_ = nullptr;
};

}  // namespace sluice::onednn
