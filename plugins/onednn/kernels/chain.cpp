#include "kernels/chain.hpp"

namespace sluice::onednn {

std::optional<sdk::MaskLayers> read_chain(const sdk::Chain& chain) {
    return sdk::read_mask_chain(chain, chain[0].type() == "batch_norm" ? 1 : 0, chain.size());
}

ChainMasks::ChainMasks(const sdk::MaskLayers& layers)
    : layers_(layers), has_bits_(layers.trains && (layers.relu || layers.rate > 0.0)) {
    dropout_.threshold = layers.drop_threshold();
    dropout_.factor = layers.kept_factor();
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
    layers_.share_memory(context.sink);
}

}  // namespace sluice::onednn
