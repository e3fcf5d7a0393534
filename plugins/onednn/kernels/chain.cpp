#include "kernels/chain.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sluice::onednn {
namespace {

// Reads the layer at `index`. Returns false if it does not fit into the chain there.
bool read_layer(const sdk::Node& node, std::uint32_t index, bool masked_before, ChainLayers& layers) {
    if (node.type() == "relu" && !layers.relu) {
        layers.relu = true;
        return true;
    }
    if (node.type() == "dropout" && layers.dropout == 0 && layers.rate == 0.0) {
        layers.rate = node.trains() ? node.options().number("rate") : 0.0;
        layers.dropout = index;
        return true;
    }
    if (node.type() == "add" && node.inputs().size() == 2 && layers.join == Join::none) {
        layers.join = masked_before ? Join::after_masks : Join::before_masks;
        layers.adds_outside = node.accumulates_gradient(index == 0 || node.chained_input() == 1 ? 0 : 1);
        if (index == 0) {
            std::swap(layers.first, layers.outside);
        }
        return true;
    }
    return false;
}

}  // namespace

std::optional<ChainLayers> read_chain(const sdk::Chain& chain) {
    ChainLayers layers;
    layers.trains = chain[0].trains();
    layers.normalises = chain[0].type() == "batch_norm";
    bool cut = false;
    for (std::uint32_t i = layers.normalises ? 1 : 0; i < chain.size(); ++i) {
        // A layer after an add that follows a mask would need a second set of bits.
        if (layers.join == Join::after_masks || !read_layer(chain[i], i, cut, layers)) {
            return std::nullopt;
        }
        cut = cut || chain[i].type() != "add";
    }
    layers.adds_first = chain[0].accumulates_gradient(layers.first);
    return layers;
}

ChainMasks::ChainMasks(const ChainLayers& layers)
    : layers_(layers), has_bits_(layers.trains && (layers.relu || layers.rate > 0.0)) {
    if (layers.rate > 0.0) {
        dropout_.threshold = static_cast<std::uint64_t>(std::ceil(layers.rate * 0x1p32));
        dropout_.factor = static_cast<float>(1.0 / (1.0 - layers.rate));
    }
}

void ChainMasks::save_bits(const sdk::KernelSink& sink, std::int64_t bytes, std::size_t index) {
    if (has_bits_) {
        sink.saved(static_cast<std::uint64_t>(bytes));
        saved_ = index;
    }
}

ChainPass ChainMasks::pass(const sluice_launch& launch) const {
    ChainPass pass;
    pass.relu = layers_.relu;
    pass.join = layers_.join;
    pass.dropout = dropout_;
    if (dropout_.threshold > 0) {
        pass.dropout.key = sdk::random_key(launch, layers_.dropout);
    }
    return pass;
}

void ChainMasks::describe(const PlanContext& context) const {
    const std::size_t count = context.chain.size();
    context.sink.note(count == 1 ? "own vector loops" : std::to_string(count) + " layers in one pass");
    context.sink.may_overwrite(layers_.first, 0);
    if (layers_.join != Join::none) {
        context.sink.may_overwrite(layers_.outside, 0);
    }
    if (!layers_.adds_first) {
        context.sink.may_overwrite_gradient(0, layers_.first);
    }
}

}  // namespace sluice::onednn
