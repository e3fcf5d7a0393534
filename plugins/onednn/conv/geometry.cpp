#include "conv/geometry.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace sluice::onednn {
namespace {

constexpr auto kFloat = dnnl::memory::data_type::f32;

// Sides of padding "explicit": one number for all, or height and width, or top, bottom, left, right.
std::array<std::int64_t, 4> sides_of(const sdk::Options& options) {
    const std::vector<std::int64_t> pad = options.integers("pad");
    return pad.size() == 4   ? std::array{pad[0], pad[1], pad[2], pad[3]}
           : pad.size() == 2 ? std::array{pad[0], pad[0], pad[1], pad[1]}
                             : std::array{pad[0], pad[0], pad[0], pad[0]};
}

// side: of the padding in front, in sides_of().
ConvAxis make_axis(const sdk::Options& options, std::int64_t in, std::int64_t out, std::size_t side) {
    const std::string padding = options.string("padding");
    ConvAxis axis{.in = in, .out = out};
    if (padding == "same") {
        // TensorFlow's rule: the odd element goes behind.
        const std::int64_t extent = (options.integer("kernel") - 1) * options.integer("dilation") + 1;
        const std::int64_t total = std::max<std::int64_t>((out - 1) * options.integer("stride") + extent - in, 0);
        axis.before = total / 2;
        axis.after = total - axis.before;
    } else if (padding == "explicit") {
        axis.before = sides_of(options)[side];
        axis.after = sides_of(options)[side + 1];
    }
    return axis;
}

}  // namespace

ConvGeometry::ConvGeometry(const sdk::Node& node) {
    const sdk::Options options = node.options();
    const sluice_tensor_spec& input = node.inputs()[0];
    const sluice_tensor_spec& output = node.outputs()[0];
    batch = input.shape[0];
    channels = input.shape[3];
    filters = output.shape[3];
    kernel = options.integer("kernel");
    stride = options.integer("stride");
    dilation = options.integer("dilation");
    groups = options.integer("groups");
    border = options.string("padding") == "reflect" ? (kernel - 1) * dilation / 2 : 0;
    bias = node.parameters().size() > 1;
    trains = node.trains();
    height = make_axis(options, input.shape[1], output.shape[1], 0);
    width = make_axis(options, input.shape[2], output.shape[2], 2);
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
    return weights(groups > 1 ? dnnl::memory::format_tag::gohwi : dnnl::memory::format_tag::ohwi);
}

Md ConvGeometry::weights(dnnl::memory::format_tag tag) const {
    return groups > 1 ? Md({groups, filters / groups, channels / groups, kernel, kernel}, kFloat, tag)
                      : Md({filters, channels, kernel, kernel}, kFloat, tag);
}

Md ConvGeometry::bias_desc() const { return bias ? Md({filters}, kFloat, dnnl::memory::format_tag::x) : Md(); }

ConvDesc ConvGeometry::desc(const Md& source_md, const Md& bias_md, const Md& destination_md) const {
    return {.source = source_md,
            .weights = weights(dnnl::memory::format_tag::any),
            .bias = bias_md,
            .destination = destination_md,
            .strides = {stride, stride},
            .gaps = {dilation - 1, dilation - 1},
            .padding = {{height.before, width.before}, {height.after, width.after}}};
}

}  // namespace sluice::onednn
