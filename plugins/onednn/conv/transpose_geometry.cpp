#include "conv/transpose_geometry.hpp"

#include "conv/geometry.hpp"
#include "sluice/sdk/padding.hpp"

namespace sluice::onednn {

TransposeGeometry::TransposeGeometry(const sdk::Node& node) {
    const sluice_tensor_spec& from = node.inputs()[0];
    const sluice_tensor_spec& to = node.outputs()[0];
    batch = from.shape[0];
    channels = from.shape[3];
    filters = to.shape[3];
    kernel = node.options().integer("kernel");
    stride = node.options().integer("stride");
    bias = node.parameters().size() > 1;
    trains = node.trains();
    input = data_type_of(from.dtype);
    output = data_type_of(to.dtype);
    computed = input;
    in = {from.shape[1], from.shape[2]};
    out = {to.shape[1], to.shape[2]};
    for (const std::size_t axis : {0, 1}) {
        const sdk::AxisPadding padding = sdk::transposed_padding(node.options(), axis);
        before.push_back(padding.before);
        after.push_back(padding.after);
    }
}

TransposeGeometry TransposeGeometry::computed_in(DataType type) const {
    TransposeGeometry geometry = *this;
    geometry.computed = type;
    return geometry;
}

Md TransposeGeometry::canonical_weights() const {
    return {{filters, channels, kernel, kernel}, DataType::f32, dnnl::memory::format_tag::ohwi};
}

Md TransposeGeometry::source(DataType type) const {
    return {{batch, channels, in[0], in[1]}, type, dnnl::memory::format_tag::nhwc};
}

Md TransposeGeometry::destination(DataType type) const {
    return {{batch, filters, out[0], out[1]}, type, dnnl::memory::format_tag::nhwc};
}

ConvDesc TransposeGeometry::desc(const Md& source_md, const Md& destination_md, DataType weights) const {
    using Tag = dnnl::memory::format_tag;
    return {.source = source_md,
            .weights = {{filters, channels, kernel, kernel}, weights, Tag::any},
            .bias = bias ? Md({filters}, DataType::f32, Tag::x) : Md(),
            .destination = destination_md,
            .strides = {stride, stride},
            .gaps = {0, 0},
            .padding = {before, after}};
}

}  // namespace sluice::onednn
