#include "kernels/chain.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::onednn {
namespace {

// Reads one layer behind (or as) the chain's beginning. False: it does not fit there.
bool read_layer(const sdk::Node& node, std::uint32_t index, bool cut_before, ChainLayers& layers) {
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
        layers.join = cut_before ? Join::behind_cuts : Join::before_cuts;
        layers.adds_outside = node.accumulates_gradient(node.chained_input() == 1 ? 0 : 1);
        return true;
    }
    return false;
}

}  // namespace

std::optional<ChainLayers> read_chain(const sdk::Chain& chain) {
    ChainLayers layers;
    layers.trains = chain[0].trains();
    layers.adds_first = chain[0].accumulates_gradient(0);
    layers.normalises = chain[0].type() == "batch_norm";
    bool cut = false;
    for (std::uint32_t i = layers.normalises ? 1 : 0; i < chain.size(); ++i) {
        // What stands behind an add that stands behind a cut would need a second set of bits.
        if (layers.join == Join::behind_cuts || !read_layer(chain[i], i, cut, layers)) {
            return std::nullopt;
        }
        cut = cut || chain[i].type() != "add";
    }
    return layers;
}

Cuts::Cuts(const ChainLayers& layers)
    : layers_(layers), has_bits_(layers.trains && (layers.relu || layers.rate > 0.0)) {
    if (layers.rate > 0.0) {
        dropout_.threshold = static_cast<std::uint64_t>(std::ceil(layers.rate * 0x1p32));
        dropout_.factor = static_cast<float>(1.0 / (1.0 - layers.rate));
    }
}

void Cuts::save_bits(const sdk::KernelSink& sink, std::int64_t bytes, std::size_t index) {
    if (has_bits_) {
        sink.saved(static_cast<std::uint64_t>(bytes));
        saved_ = index;
    }
}

ChainPass Cuts::pass(const sluice_launch& launch) const {
    ChainPass pass;
    pass.relu = layers_.relu;
    pass.join = layers_.join;
    pass.dropout = dropout_;
    if (dropout_.threshold > 0) {
        pass.dropout.key = sdk::random_key(launch, layers_.dropout);
    }
    return pass;
}

ForwardRows Cuts::forward(const sluice_launch& launch) const {
    return {sdk::input<float>(launch, 0), layers_.join == Join::none ? nullptr : sdk::input<float>(launch, 1),
            sdk::output<float>(launch, 0), has_bits_ ? sdk::saved<std::uint8_t>(launch, saved_) : nullptr};
}

BackwardRows Cuts::backward(const sluice_launch& launch) const {
    return {sdk::output_gradient<float>(launch, 0),
            has_bits_ ? sdk::saved<std::uint8_t>(launch, saved_) : nullptr,
            dropout_.factor,
            layers_.join,
            layers_.join == Join::none ? nullptr : sdk::input_gradient<float>(launch, 1),
            layers_.adds_outside};
}

std::string Cuts::note(const sdk::Chain& chain) {
    return chain.size() == 1 ? "own vector loops" : std::to_string(chain.size()) + " layers in one pass";
}

}  // namespace sluice::onednn
