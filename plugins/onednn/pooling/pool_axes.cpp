#include "pooling/pool_axes.hpp"

#include "sluice/sdk/padding.hpp"

namespace sluice::onednn {
namespace {

PoolAxis make_pool_axis(const sdk::Node& node, std::size_t axis) {
    const sdk::Options options = node.options();
    const std::int64_t in = node.inputs()[0].shape[axis + 1];
    const std::int64_t out = node.outputs()[0].shape[axis + 1];
    const std::int64_t kernel = options.integer("kernel");
    return {.in = in,
            .out = out,
            .kernel = kernel,
            .stride = options.maybe_integer("stride").value_or(kernel),
            .before = sdk::window_padding(options, axis, in, out).before};
}

}  // namespace

PoolAxes::PoolAxes(const sdk::Node& node)
    : batch(node.inputs()[0].shape[0]),
      channels(node.inputs()[0].shape[3]),
      height(make_pool_axis(node, 0)),
      width(make_pool_axis(node, 1)) {}

}  // namespace sluice::onednn
