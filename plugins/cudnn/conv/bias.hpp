// The bias of a convolution, where cuDNN does not add it, and its gradient. Rows are pixels of [N, H, W, C].
#pragma once

#include <cudnn.h>

#include <cstdint>

namespace sluice::cudnn {

// image += bias, in one pass; relu: and its negative numbers become 0. bias: [C], or NULL for none.
void add_bias(void* stream, cudnnDataType_t type, void* image, std::int64_t rows, std::int64_t channels,
              const float* bias, bool relu);

// Bytes of workspace that bias_gradient needs.
std::uint64_t bias_gradient_bytes(std::int64_t rows, std::int64_t channels);
// to: [C], the sums over the rows of dy, added to what is there where `add`. Two launches, in a fixed order.
void bias_gradient(void* stream, cudnnDataType_t type, const void* dy, std::int64_t rows, std::int64_t channels,
                   float* to, bool add, void* workspace);

}  // namespace sluice::cudnn
