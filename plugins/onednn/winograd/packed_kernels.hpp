// Transformed kernels of one or more parts, renewed when the parameters change.
#pragma once

#include <memory>
#include <vector>

#include "sluice/kind/kernel.h"
#include "winograd/kernels.hpp"

namespace sluice::onednn {

class PackedKernels {
public:
    PackedKernels(const KernelLayout& layout, std::vector<KernelPart> parts);

    // kernels: [O, 3, 3, C], this launch's. Computed on its threads where they are new.
    void renew(const sluice_launch& launch, const float* kernels);
    // The matrix of one point of one part for one panel of columns: [depth, panel].
    [[nodiscard]] const float* matrix(std::size_t part, std::int64_t panel, std::int64_t point) const {
        return copy_.get() + part * layout_.count() + layout_.panel_begin(panel) + point * layout_.point_step(panel);
    }
    [[nodiscard]] const KernelLayout& layout() const { return layout_; }

private:
    struct Free {
        void operator()(float* block) const noexcept;
    };

    KernelLayout layout_;
    std::vector<KernelPart> parts_;
    std::unique_ptr<float, Free> copy_;
    const float* source_ = nullptr;
    std::uint32_t version_ = 0;
};

}  // namespace sluice::onednn
