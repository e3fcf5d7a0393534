// A convolution of few filters, computed in blocks of b x b output pixels. The pixels of a block count as channels,
// which fills tiles of tensor cores that would stay nearly empty.
//
// Each kernel of R x S taps becomes b * b kernels of (R + b - 1) x (S + b - 1) taps, one for each pixel of a block.
// Taps that do not belong to that pixel are zero. The stride becomes b. The same pass adds zeros for channels that the
// source has after those of the image; with b = 1 it does nothing else.
#pragma once

#include <vector>

#include "conv/geometry.hpp"

namespace sluice::cudnn {

// Extents of kernels [O, R, S, I] and of output images [N, H, W, O].
struct BlockShape {
    std::int64_t filters = 1;
    std::array<std::int64_t, 2> taps = {1, 1};
    std::int64_t channels = 1;
    std::int64_t source_channels = 1;
    std::int64_t edge = 1;  // b
    std::int64_t batch = 1;
    std::array<std::int64_t, 2> out = {1, 1};

    [[nodiscard]] std::array<std::int64_t, 2> block_taps() const { return {taps[0] + edge - 1, taps[1] + edge - 1}; }
    [[nodiscard]] std::int64_t block_filters() const { return edge * edge * filters; }
    [[nodiscard]] std::int64_t image_count() const { return batch * out[0] * out[1] * filters; }
};

// Returns the edges b with which the convolution can be computed in blocks, most promising first. Empty: none.
[[nodiscard]] std::vector<std::int64_t> block_edges(const ConvProblem& extents);

[[nodiscard]] BlockShape block_shape(const ConvGeometry& geometry, std::int64_t edge);
// Returns the convolution whose output pixels are the blocks.
[[nodiscard]] ConvProblem block_extents(const ConvProblem& extents, const BlockShape& shape);

// Converts kernels [O, R, S, I] to [b, b, O, R + b - 1, S + b - 1, source channels] of `type`.
void make_block_kernels(void* stream, cudnnDataType_t type, const BlockShape& shape, const float* kernels, void* to);
// The adjoint of make_block_kernels(). It sums in float32; if `add`, it adds to `kernels`, else it overwrites them.
void fold_block_kernels(void* stream, cudnnDataType_t type, const BlockShape& shape, const void* gradient,
                        float* kernels, bool add);

// Converts blocks [N, H / b, W / b, b, b, O] to an image [N, H, W, O] and applies bias (NULL: none) and relu. b is 2 or
// 4.
void blocks_to_image(void* stream, cudnnDataType_t type, const BlockShape& shape, const void* blocks, void* image,
                     const float* bias, bool relu);
void image_to_blocks(void* stream, cudnnDataType_t type, const BlockShape& shape, const void* image, void* blocks);

}  // namespace sluice::cudnn
