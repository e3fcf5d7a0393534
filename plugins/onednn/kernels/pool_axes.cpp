#include "kernels/pool_axes.hpp"

#include <string>
#include <vector>

namespace sluice::onednn {
namespace {

// index: of height or width in a shape. side: index of the padding at the start, in the order top, bottom, left, right.
PoolAxis make_axis(const sdk::Node& node, std::size_t index, std::size_t side) {
    const sdk::Options options = node.options();
    const std::int64_t kernel = options.integer("kernel");
    PoolAxis axis{.in = node.inputs()[0].shape[index],
                  .out = node.outputs()[0].shape[index],
                  .kernel = kernel,
                  .stride = options.maybe_integer("stride").value_or(kernel)};
    const std::string padding = options.string("padding");
    if (padding == "same") {
        // TensorFlow's rule puts the odd element at the end.
        axis.before = std::max<std::int64_t>((axis.out - 1) * axis.stride + kernel - axis.in, 0) / 2;
    } else if (padding == "explicit") {
        const std::vector<std::int64_t> pad = options.integers("pad");
        axis.before = pad.size() == 4 ? pad[side] : pad.size() == 2 ? pad[side / 2] : pad[0];
    }
    return axis;
}

}  // namespace

PoolAxes::PoolAxes(const sdk::Node& node)
    : batch(node.inputs()[0].shape[0]),
      channels(node.inputs()[0].shape[3]),
      height(make_axis(node, 1, 0)),
      width(make_axis(node, 2, 2)) {}

}  // namespace sluice::onednn
