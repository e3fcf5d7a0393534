// Extents of a convolution node, and its tensors as oneDNN describes them.
//
// Reflection is not known to oneDNN: such a convolution is computed without padding on a mirrored copy of the input
// (conv/reflect.hpp). "Source" is what oneDNN reads: that copy, or the input itself.
#pragma once

#include "onednn_api.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

struct ConvAxis {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t before = 0;  // zeros that oneDNN adds in front
    std::int64_t after = 0;   // and behind
};

struct ConvGeometry {
    explicit ConvGeometry(const sdk::Node& node);

    [[nodiscard]] std::int64_t source_height() const { return height.in + 2 * border; }
    [[nodiscard]] std::int64_t source_width() const { return width.in + 2 * border; }
    [[nodiscard]] std::int64_t input_count() const { return batch * height.in * width.in * channels; }
    [[nodiscard]] std::uint64_t source_bytes() const;
    [[nodiscard]] bool mirrors() const { return border > 0; }

    // tag: nhwc, or any to let oneDNN choose.
    [[nodiscard]] Md source(dnnl::memory::format_tag tag = dnnl::memory::format_tag::nhwc) const;
    [[nodiscard]] Md destination(dnnl::memory::format_tag tag = dnnl::memory::format_tag::nhwc) const;
    // [O, kh, kw, I / groups] as parameters and their gradients are stored.
    [[nodiscard]] Md canonical_weights() const;
    [[nodiscard]] Md weights(dnnl::memory::format_tag tag) const;
    [[nodiscard]] Md bias_desc() const;
    // The convolution on these tensors, weights in the layout that oneDNN likes best.
    [[nodiscard]] ConvDesc desc(const Md& source, const Md& bias, const Md& destination) const;

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
    bool relu = false;    // the output's negative numbers become 0
    ConvAxis height;
    ConvAxis width;
};

}  // namespace sluice::onednn
