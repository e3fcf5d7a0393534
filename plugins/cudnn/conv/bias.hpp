// Adds the bias of a convolution if cuDNN does not, and computes its gradient. Rows are the pixels of [N, H, W, C].
#pragma once

#include <cudnn.h>

#include <cstdint>

namespace sluice::cudnn {

// Adds the bias to the image in one pass; with `relu`, negative results become 0. bias: [C]; NULL: none.
void add_bias(void* stream, cudnnDataType_t type, void* image, std::int64_t rows, std::int64_t channels,
              const float* bias, bool relu);

// Bytes of workspace that bias_gradient needs.
std::uint64_t bias_gradient_bytes(std::int64_t rows, std::int64_t channels);
// Writes the sums over the rows of dy to `to` [C], or adds them if `add`. Takes two launches and sums in a fixed order.
void bias_gradient(void* stream, cudnnDataType_t type, const void* dy, std::int64_t rows, std::int64_t channels,
                   float* to, bool add, void* workspace);

}  // namespace sluice::cudnn
