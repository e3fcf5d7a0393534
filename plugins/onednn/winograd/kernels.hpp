// Transforms between convolution kernels [O, 3, 3, C] and the matrices by which tiles are multiplied.
#pragma once

#include <cstdint>

#include "winograd/tiles.hpp"

namespace sluice::onednn {

// A part of a kernel. After nearest upsampling by 2, an output of an even (0) or odd (1) row sees two taps of the small
// image: the first (even) or last (odd) tap alone, and the sum of the other two. Columns likewise.
struct KernelPart {
    bool phase = false;  // 2x2 taps of one phase, else all 3x3
    int row = 0;
    int column = 0;
    [[nodiscard]] int outputs() const { return phase ? kTaps2 : kTaps3; }
};

// The layout of the matrices by which tiles are multiplied: element (point, k, n), n in panels of panel_width(), each
// [kTileProducts][depth][panel].
struct KernelLayout {
    KernelLayout(std::int64_t filters, std::int64_t channels, bool towards_input);
    [[nodiscard]] std::uint64_t count() const;
    [[nodiscard]] std::int64_t panels() const { return (width + panel - 1) / panel; }
    [[nodiscard]] std::int64_t panel_width(std::int64_t index) const {
        return panel < width - index * panel ? panel : width - index * panel;
    }
    [[nodiscard]] std::int64_t panel_begin(std::int64_t index) const {
        return kTileProducts * (depth * panel + kGap) * index;
    }
    [[nodiscard]] std::int64_t point_step(std::int64_t index) const { return depth * panel_width(index) + kGap; }

    static constexpr std::int64_t kGap = 16;
    std::int64_t filters;
    std::int64_t channels;
    bool towards_input;  // for the input's gradient: k counts filters, n channels; the kernel is rotated by 180 degrees
    std::int64_t depth;
    std::int64_t columns;
    std::int64_t width;  // columns, padded with zeros to whole vectors
    std::int64_t panel;
};

// Transforms one vector of columns, for all k. item: its index among the vectors of `width`.
void transform_kernels(const KernelLayout& layout, const KernelPart& part, const float* kernels, std::int64_t item,
                       float* to);

// The share of one part in the gradient of one filter's kernel [3, 3, C]. from: this filter's row [C], padded to whole
// vectors, in the first of kTileProducts matrices that lie point_step apart.
struct KernelGradient {
    const float* from;
    std::int64_t point_step;
    KernelPart part;
    std::int64_t channels;
    bool add;
};
void transform_kernel_gradient(const KernelGradient& gradient, float* to);

}  // namespace sluice::onednn
