#include "conv/geometry.hpp"

#include <algorithm>

namespace sluice::onednn {
namespace {

constexpr auto kFloat = dnnl::memory::data_type::f32;

ConvAxis make_axis(const std::string& padding, std::int64_t kernel, std::int64_t stride, std::int64_t in,
                   std::int64_t out) {
    ConvAxis axis{.in = in, .out = out};
    if (padding == "same") {
        // TensorFlow's rule: the odd element goes behind.
        const std::int64_t total = std::max<std::int64_t>((out - 1) * stride + kernel - in, 0);
        axis.before = total / 2;
        axis.after = total - axis.before;
    }
    return axis;
}

}  // namespace

ConvGeometry::ConvGeometry(const sdk::Node& node) {
    const sdk::Options options = node.options();
    const sluice_tensor_spec& input = node.inputs()[0];
    const sluice_tensor_spec& output = node.outputs()[0];
    const std::string padding = options.string("padding");
    batch = input.shape[0];
    channels = input.shape[3];
    filters = output.shape[3];
    kernel = options.integer("kernel");
    stride = options.integer("stride");
    border = padding == "reflect" ? (kernel - 1) / 2 : 0;
    bias = node.parameters().size() > 1;
    height = make_axis(padding, kernel, stride, input.shape[1], output.shape[1]);
    width = make_axis(padding, kernel, stride, input.shape[2], output.shape[2]);
}

std::uint64_t ConvGeometry::source_bytes() const {
    return static_cast<std::uint64_t>(batch * source_height() * source_width() * channels) * sizeof(float);
}

Md ConvGeometry::source(dnnl::memory::format_tag tag) const {
    return {{batch, channels, source_height(), source_width()}, kFloat, tag};
}

Md ConvGeometry::destination(dnnl::memory::format_tag tag) const {
    return {{batch, filters, height.out, width.out}, kFloat, tag};
}

Md ConvGeometry::canonical_weights() const {
    return {{filters, channels, kernel, kernel}, kFloat, dnnl::memory::format_tag::ohwi};
}

Md ConvGeometry::bias_desc() const { return bias ? Md({filters}, kFloat, dnnl::memory::format_tag::x) : Md(); }

ConvDesc ConvGeometry::desc(const Md& source_md, const Md& bias_md, const Md& destination_md) const {
    return {.source = source_md,
            .weights = {{filters, channels, kernel, kernel}, kFloat, dnnl::memory::format_tag::any},
            .bias = bias_md,
            .destination = destination_md,
            .strides = {stride, stride},
            .padding = {{height.before, width.before}, {height.after, width.after}}};
}

}  // namespace sluice::onednn
