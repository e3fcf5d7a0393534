// Extents of a transposed convolution node, and its tensors as oneDNN describes them. Activations are stored in float32
// or bfloat16, and oneDNN computes with the type `computed`, as in conv/geometry.hpp.
#pragma once

#include "library/onednn_api.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

struct TransposeGeometry {
    explicit TransposeGeometry(const sdk::Node& node);

    // [O, kh, kw, I]: the layout in which parameters and their gradients are stored.
    [[nodiscard]] Md canonical_weights() const;
    // Activations in nhwc. type: as they are stored, or `computed` for oneDNN.
    [[nodiscard]] Md source(DataType type) const;
    [[nodiscard]] Md destination(DataType type) const;
    // Describes the convolution on these tensors; oneDNN chooses the layout of the weights.
    [[nodiscard]] ConvDesc desc(const Md& source_md, const Md& destination_md, DataType weights) const;
    [[nodiscard]] std::int64_t input_count() const { return batch * channels * in[0] * in[1]; }
    [[nodiscard]] std::int64_t output_count() const { return batch * filters * out[0] * out[1]; }
    // Returns the same convolution with another type `computed`.
    [[nodiscard]] TransposeGeometry computed_in(DataType type) const;

    std::int64_t batch = 0;
    std::int64_t channels = 0;
    std::int64_t filters = 0;
    std::int64_t kernel = 0;
    std::int64_t stride = 0;
    bool bias = false;
    bool trains = false;  // the weights are new in each launch
    DataType input = DataType::f32;
    DataType output = DataType::f32;
    DataType computed = DataType::f32;
    Dims in;      // height, width
    Dims out;     // likewise
    Dims before;  // elements cropped at the start
    Dims after;   // and at the end
};

}  // namespace sluice::onednn
