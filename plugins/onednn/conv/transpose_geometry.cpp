#include "conv/transpose_geometry.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "conv/geometry.hpp"

namespace sluice::onednn {
namespace {

// Returns top, bottom, left, right.
std::vector<std::int64_t> four_sides_of(const sdk::Options& options) {
    const std::string padding = options.string("padding");
    if (padding == "valid") {
        return {0, 0, 0, 0};
    }
    if (padding == "same") {
        const std::int64_t total = std::max<std::int64_t>(options.integer("kernel") - options.integer("stride"), 0);
        return {total / 2, total - total / 2, total / 2, total - total / 2};
    }
    const std::vector<std::int64_t> pad = options.integers("pad");
    return pad.size() == 4   ? pad
           : pad.size() == 2 ? std::vector{pad[0], pad[0], pad[1], pad[1]}
                             : std::vector(4, pad[0]);
}

}  // namespace

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
    const std::vector<std::int64_t> sides = four_sides_of(node.options());
    before = {sides[0], sides[2]};
    after = {sides[1], sides[3]};
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
