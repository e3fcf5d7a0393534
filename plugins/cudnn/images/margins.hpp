// Mirrored margins around an image [N, H, W, C], without repeating its edge (d c b | a b c d | c b a), and their
// adjoint. Behind the image's channels the result may have channels of zeros, which the adjoint leaves out. One pass
// each: every element of the result is written once.
#pragma once

#include <cudnn.h>

#include <cstdint>

namespace sluice::cudnn {

struct Margins {
    std::int64_t batch = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 0;
    std::int64_t added_channels = 0;  // behind them, in the result
    // Less than the extent of their axis.
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
// image: the sums of what its elements were copied to, added to what is there where `add`.
void fold_margins(void* stream, cudnnDataType_t type, const Margins& margins, const void* padded, void* image,
                  bool add);

}  // namespace sluice::cudnn
