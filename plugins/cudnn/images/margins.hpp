// Adds mirrored margins to an image [N, H, W, C] without repeating its edge (d c b | a b c d | c b a), and computes the
// adjoint. The result may have channels of zeros after the image's channels, which the adjoint ignores. Each is one
// pass that writes every element of the result once.
#pragma once

#include <cudnn.h>

#include <cstdint>

namespace sluice::cudnn {

struct Margins {
    std::int64_t batch = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 0;
    std::int64_t added_channels = 0;  // after them, in the result
    // Each margin is less than the extent of its axis.
    std::int64_t top = 0;
    std::int64_t bottom = 0;
    std::int64_t left = 0;
    std::int64_t right = 0;

    [[nodiscard]] std::int64_t all_channels() const { return channels + added_channels; }
    [[nodiscard]] std::int64_t padded_height() const { return top + height + bottom; }
    [[nodiscard]] std::int64_t padded_width() const { return left + width + right; }
};

// padded: [N, top + H + bottom, left + W + right, all channels]
void add_margins(void* stream, cudnnDataType_t type, const Margins& margins, const void* image, void* padded);
// image: each element becomes the sum of its copies in `padded`; if `add`, the sum is added to it.
void fold_margins(void* stream, cudnnDataType_t type, const Margins& margins, const void* padded, void* image,
                  bool add);

}  // namespace sluice::cudnn
