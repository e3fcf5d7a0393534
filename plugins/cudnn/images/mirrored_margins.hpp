// Adds mirrored margins to an image [N, H, W, C] without repeating its edge (d c b | a b c d | c b a), and computes the
// adjoint. The result may have channels of zeros after the image's channels, which the adjoint ignores. Each is one
// pass that writes every element of the result once.
#pragma once

#include <cudnn.h>

#include "images/margins.hpp"

namespace sluice::cudnn {

// padded: [N, top + H + bottom, left + W + right, all channels]
void add_margins(void* stream, cudnnDataType_t type, const Margins& margins, const void* image, void* padded);
// image: each element becomes the sum of its copies in `padded`; if `add`, the sum is added to it.
void fold_margins(void* stream, cudnnDataType_t type, const Margins& margins, const void* padded, void* image,
                  bool add);

}  // namespace sluice::cudnn
