#include "conv/geometry.hpp"

#include "sluice/sdk/padding.hpp"

namespace sluice::onednn {
namespace {

ConvAxis make_conv_axis(const sdk::Node& node, std::size_t axis) {
    const std::int64_t in = node.inputs()[0].shape[axis + 1];
    const std::int64_t out = node.outputs()[0].shape[axis + 1];
    const sdk::AxisPadding padding = sdk::window_padding(node.options(), axis, in, out);
    return {.in = in, .out = out, .before = padding.before, .after = padding.after};
}

}  // namespace

DataType data_type_of(sluice_dtype dtype) { return sdk::same(dtype, sdk::kBfloat16) ? DataType::bf16 : DataType::f32; }

ConvGeometry::ConvGeometry(const sdk::Node& node) {
    const sdk::Options options = node.options();
    const sluice_tensor_spec& from = node.inputs()[0];
    const sluice_tensor_spec& to = node.outputs()[0];
    batch = from.shape[0];
    channels = from.shape[3];
    filters = to.shape[3];
    kernel = options.integer("kernel");
    stride = options.integer("stride");
    dilation = options.integer("dilation");
    groups = options.integer("groups");
    border = sdk::reflected_border(options);
    bias = node.parameters().size() > 1;
    trains = node.trains();
    height = make_conv_axis(node, 0);
    width = make_conv_axis(node, 1);
    input = data_type_of(from.dtype);
    output = data_type_of(to.dtype);
    computed = input;
}

ConvGeometry ConvGeometry::computed_in(DataType type) const {
    ConvGeometry geometry = *this;
    geometry.computed = type;
    return geometry;
}

std::uint64_t ConvGeometry::source_bytes() const { return source().get_size(); }

Md ConvGeometry::source(dnnl::memory::format_tag tag) const {
    return {{batch, channels, source_height(), source_width()}, computed, tag};
}

Md ConvGeometry::destination(dnnl::memory::format_tag tag) const {
    return {{batch, filters, height.out, width.out}, computed, tag};
}

Md ConvGeometry::stored_input() const {
    return {{batch, channels, height.in, width.in}, input, dnnl::memory::format_tag::nhwc};
}

Md ConvGeometry::stored_output() const {
    return {{batch, filters, height.out, width.out}, output, dnnl::memory::format_tag::nhwc};
}

Md ConvGeometry::source_gradient() const { return computed_in(DataType::f32).source(); }

Md ConvGeometry::canonical_weights() const {
    return weights(groups > 1 ? dnnl::memory::format_tag::gohwi : dnnl::memory::format_tag::ohwi);
}

Md ConvGeometry::weights(dnnl::memory::format_tag tag, DataType type) const {
    return groups > 1 ? Md({groups, filters / groups, channels / groups, kernel, kernel}, type, tag)
                      : Md({filters, channels, kernel, kernel}, type, tag);
}

Md ConvGeometry::bias_desc() const { return bias ? Md({filters}, DataType::f32, dnnl::memory::format_tag::x) : Md(); }

ConvDesc ConvGeometry::desc(const Md& source_md, const Md& bias_md, const Md& destination_md) const {
    return {.source = source_md,
            .weights = weights(dnnl::memory::format_tag::any, computed),
            .bias = bias_md,
            .destination = destination_md,
            .strides = {stride, stride},
            .gaps = {dilation - 1, dilation - 1},
            .padding = {{height.before, width.before}, {height.after, width.after}}};
}

ConvDesc ConvGeometry::weight_gradient_desc(dnnl::memory::format_tag tag) const {
    ConvDesc all = desc(source(tag), bias_desc(), destination(tag));
    all.weights = weights(dnnl::memory::format_tag::any);
    return all;
}

}  // namespace sluice::onednn
