// Extents of a convolution node, and its tensors as oneDNN describes them.
//
// oneDNN has no reflection padding. Such a convolution is computed without padding on a mirrored copy of the input
// (conv/source.hpp). "Source" is what oneDNN reads: that copy, a copy of another type, or the input itself.
//
// Activations are stored in float32 or bfloat16. oneDNN computes in the type `computed`, which source, packed weights
// and the output's gradient have. Sums, parameters and their gradients are float32.
#pragma once

#include "library/onednn_api.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

DataType data_type_of(sluice_dtype dtype);

struct ConvAxis {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t before = 0;  // zeros that oneDNN adds at the start
    std::int64_t after = 0;   // and at the end
};

struct ConvGeometry {
    explicit ConvGeometry(const sdk::Node& node);

    [[nodiscard]] std::int64_t source_height() const { return height.in + 2 * border; }
    [[nodiscard]] std::int64_t source_width() const { return width.in + 2 * border; }
    [[nodiscard]] std::int64_t input_count() const { return batch * height.in * width.in * channels; }
    [[nodiscard]] std::int64_t output_count() const { return batch * height.out * width.out * filters; }
    [[nodiscard]] std::uint64_t source_bytes() const;
    [[nodiscard]] bool mirrors() const { return border > 0; }
    // True if the source is a copy of the input.
    [[nodiscard]] bool copies_source() const { return mirrors() || input != computed; }
    // Returns the type in which our own loops write the gradient of the input, or of its mirrored copy.
    [[nodiscard]] DataType own_gradient_type() const { return mirrors() ? DataType::f32 : input; }
    // Returns the same convolution with another type `computed`.
    [[nodiscard]] ConvGeometry computed_in(DataType type) const;

    // tag: nhwc, or any to let oneDNN choose.
    [[nodiscard]] Md source(dnnl::memory::format_tag tag = dnnl::memory::format_tag::nhwc) const;
    // The output's gradient as oneDNN reads it.
    [[nodiscard]] Md destination(dnnl::memory::format_tag tag = dnnl::memory::format_tag::nhwc) const;
    // Input and output, and their gradients, as they are stored.
    [[nodiscard]] Md stored_input() const;
    [[nodiscard]] Md stored_output() const;
    // The output as oneDNN writes it. oneDNN sums in float32, whatever type it reads.
    [[nodiscard]] Md written_output() const { return computed == DataType::f32 ? destination() : stored_output(); }
    // The source's gradient in float32, for cases in which oneDNN cannot write the input's gradient directly.
    [[nodiscard]] Md source_gradient() const;
    // [O, kh, kw, I / groups]: the layout in which parameters and their gradients are stored.
    [[nodiscard]] Md canonical_weights() const;
    [[nodiscard]] Md weights(dnnl::memory::format_tag tag, DataType type = DataType::f32) const;
    [[nodiscard]] Md bias_desc() const;
    // Describes the convolution on these tensors; oneDNN chooses the layout of the weights.
    [[nodiscard]] ConvDesc desc(const Md& source, const Md& bias, const Md& destination) const;
    // Same for the gradient of the weights, which is float32.
    [[nodiscard]] ConvDesc weight_gradient_desc(dnnl::memory::format_tag tag) const;

    std::int64_t batch = 0;
    std::int64_t channels = 0;
    std::int64_t filters = 0;
    std::int64_t kernel = 0;
    std::int64_t stride = 0;
    std::int64_t dilation = 1;
    std::int64_t groups = 1;
    std::int64_t border = 0;  // mirrored elements on each side
    bool bias = false;
    bool trains = false;  // the weights are new in each launch
    bool relu = false;    // replaces negative numbers of the output by 0
    DataType input = DataType::f32;
    DataType output = DataType::f32;
    DataType computed = DataType::f32;
    ConvAxis height;
    ConvAxis width;
};

}  // namespace sluice::onednn
