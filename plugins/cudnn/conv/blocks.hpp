// A convolution of few filters computed for blocks of b x b pixels of its output at a time, whose pixels count as
// channels: it fills tiles of tensor cores that would stay nearly empty.
//
// Its kernels of R x S taps become b * b times as many of (R + b - 1) x (S + b - 1) taps, each for one pixel of a
// block, with zeros where that pixel does not look; its stride becomes b. In the same pass zeros are added for channels
// that the source has behind those of the image. b = 1: that alone.
#pragma once

#include <vector>

#include "conv/geometry.hpp"

namespace sluice::cudnn {

// Of kernels [O, R, S, I], and of output images [N, H, W, O].
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

// Edges of blocks in which the convolution can be computed, that which likely pays most first.
[[nodiscard]] std::vector<std::int64_t> block_edges(const ConvProblem& extents);

[[nodiscard]] BlockShape block_shape(const ConvGeometry& geometry, std::int64_t edge);
// The convolution whose output has blocks as pixels.
[[nodiscard]] ConvProblem block_extents(const ConvProblem& extents, const BlockShape& shape);

// kernels [O, R, S, I] -> [b, b, O, R + b - 1, S + b - 1, source channels] of `type`
void make_block_kernels(void* stream, cudnnDataType_t type, const BlockShape& shape, const float* kernels, void* to);
// The adjoint, summed in float32 and added to what is there where `add`.
void fold_block_kernels(void* stream, cudnnDataType_t type, const BlockShape& shape, const void* gradient,
                        float* kernels, bool add);

// blocks [N, H / b, W / b, b, b, O] -> image [N, H, W, O], bias (NULL: none) and relu applied. b is 2 or 4.
void blocks_to_image(void* stream, cudnnDataType_t type, const BlockShape& shape, const void* blocks, void* image,
                     const float* bias, bool relu);
void image_to_blocks(void* stream, cudnnDataType_t type, const BlockShape& shape, const void* image, void* blocks);

}  // namespace sluice::cudnn
