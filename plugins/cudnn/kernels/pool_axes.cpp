#include "kernels/pool_axes.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace sluice::cudnn {
namespace {

// index: of height or width in a shape. side: of the padding before the axis, among top, bottom, left, right.
PoolAxis make_axis(const sdk::Node& node, std::size_t index, std::size_t side) {
    const sdk::Options options = node.options();
    const std::int64_t in = node.inputs()[0].shape[index];
    const std::int64_t out = node.outputs()[0].shape[index];
    const std::int64_t kernel = options.integer("kernel");
    const std::int64_t stride = options.maybe_integer("stride").value_or(kernel);
    const std::string padding = options.string("padding");
    std::int64_t before = 0;
    if (padding == "same") {
        // As in TensorFlow, the odd element goes after the image.
        before = std::max<std::int64_t>((out - 1) * stride + kernel - in, 0) / 2;
    } else if (padding == "explicit") {
        const std::vector<std::int64_t> pad = options.integers("pad");
        before = pad.size() == 4 ? pad[side] : pad.size() == 2 ? pad[side / 2] : pad[0];
    }
    return {.in = Divider(in),
            .out = Divider(out),
            .stride = Divider(stride),
            .kernel = static_cast<std::int32_t>(kernel),
            .before = static_cast<std::int32_t>(before)};
}

}  // namespace

PoolAxes::PoolAxes(const sdk::Node& node)
    : batch(node.inputs()[0].shape[0]),
      channels(node.inputs()[0].shape[3]),
      height(make_axis(node, 1, 0)),
      width(make_axis(node, 2, 2)) {}

}  // namespace sluice::cudnn
