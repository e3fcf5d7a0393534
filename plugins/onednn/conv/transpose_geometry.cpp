#include "conv/transpose_geometry.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace sluice::onednn {
namespace {

constexpr auto kFloat = dnnl::memory::data_type::f32;

// Top, bottom, left, right.
std::vector<std::int64_t> sides_of(const sdk::Options& options) {
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
    const sluice_tensor_spec& input = node.inputs()[0];
    const sluice_tensor_spec& output = node.outputs()[0];
    batch = input.shape[0];
    channels = input.shape[3];
    filters = output.shape[3];
    kernel = node.options().integer("kernel");
    stride = node.options().integer("stride");
    bias = node.parameters().size() > 1;
    in = {input.shape[1], input.shape[2]};
    out = {output.shape[1], output.shape[2]};
    const std::vector<std::int64_t> sides = sides_of(node.options());
    before = {sides[0], sides[2]};
    after = {sides[1], sides[3]};
}

Md TransposeGeometry::canonical_weights() const {
    return {{filters, channels, kernel, kernel}, kFloat, dnnl::memory::format_tag::ohwi};
}

ConvDesc TransposeGeometry::desc() const {
    using Tag = dnnl::memory::format_tag;
    return {.source = {{batch, channels, in[0], in[1]}, kFloat, Tag::nhwc},
            .weights = {{filters, channels, kernel, kernel}, kFloat, Tag::any},
            .bias = bias ? Md({filters}, kFloat, Tag::x) : Md(),
            .destination = {{batch, filters, out[0], out[1]}, kFloat, Tag::nhwc},
            .strides = {stride, stride},
            .gaps = {0, 0},
            .padding = {before, after}};
}

}  // namespace sluice::onednn
