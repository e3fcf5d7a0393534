// Enlarges images [N, H, W, C] by a whole factor to [N, factor * H, factor * W, C], and computes the adjoint. Each is
// one pass, in which one thread writes each element of the result once.
#pragma once

#include <cudnn.h>

#include <cstdint>

#include "sluice/sdk/kernel.hpp"

namespace sluice::cudnn {

enum class UpsampleMode { nearest, bilinear };

struct Upsampling {
    UpsampleMode mode = UpsampleMode::nearest;
    std::int64_t factor = 2;
    // The shape of the small image.
    std::int64_t batch = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 0;

    [[nodiscard]] std::int64_t small_count() const { return batch * height * width * channels; }
    // Returns at most 2^32 - 1.
    [[nodiscard]] std::int64_t large_count() const { return small_count() * factor * factor; }
};

// Reads the options and shapes of a node of type upsample.
Upsampling upsampling_of(const sdk::Node& node);

void upsample(void* stream, cudnnDataType_t type, const Upsampling& upsampling, const void* small, void* large);
// small: its gradient, the sum over the elements that each of its elements was spread to. If `add`, it is added to
// `small`.
void upsample_gradient(void* stream, cudnnDataType_t type, const Upsampling& upsampling, const void* large, void* small,
                       bool add);

}  // namespace sluice::cudnn
