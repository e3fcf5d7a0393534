// Extents of a transposed convolution node, and its tensors as oneDNN describes them.
#pragma once

#include "onednn_api.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

struct TransposeGeometry {
    explicit TransposeGeometry(const sdk::Node& node);

    // [O, kh, kw, I] as parameters and their gradients are stored.
    [[nodiscard]] Md canonical_weights() const;
    // Activations in nhwc, weights in the layout that oneDNN likes best.
    [[nodiscard]] ConvDesc desc() const;
    [[nodiscard]] std::int64_t input_count() const { return batch * channels * in[0] * in[1]; }

    std::int64_t batch = 0;
    std::int64_t channels = 0;
    std::int64_t filters = 0;
    std::int64_t kernel = 0;
    std::int64_t stride = 0;
    bool bias = false;
    Dims in;      // height, width
    Dims out;     // likewise
    Dims before;  // what is cut off in front
    Dims after;   // and behind
};

}  // namespace sluice::onednn
