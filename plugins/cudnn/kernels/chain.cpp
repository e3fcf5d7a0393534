#include "kernels/chain.hpp"

#include <cmath>
#include <utility>

namespace sluice::cudnn {
namespace {

// Adds layer number `index` to `layers`. Returns false if it does not fit there.
bool read_layer(const sdk::Node& node, std::uint32_t index, bool masked_before, MaskLayers& layers) {
    if (node.type() == "relu" && !layers.relu) {
        layers.relu = true;
        return true;
    }
    if (node.type() == "dropout" && layers.dropout == 0 && layers.rate == 0.0) {
        layers.rate = node.trains() ? node.options().number("rate") : 0.0;
        layers.dropout = index;
        return true;
    }
    if (node.type() == "add" && node.inputs().size() == 2 && !layers.joins()) {
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

std::optional<MaskLayers> read_masks(const sdk::Chain& chain, std::size_t begin, std::size_t end,
                                     std::uint32_t outside) {
    MaskLayers layers;
    layers.outside = outside;
    layers.trains = chain[0].trains();
    if (begin == 0 && chain[0].type() == "scale") {
        layers.scale = static_cast<float>(chain[0].options().number("factor"));
        begin = 1;
    }
    bool cut = false;
    for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
        // A layer after an add that follows relu or dropout would need a second set of bits.
        if (layers.join == Join::after_masks || !read_layer(chain[i], i, cut, layers)) {
            return std::nullopt;
        }
        cut = cut || chain[i].type() != "add";
    }
    layers.adds_first = chain[0].accumulates_gradient(layers.first);
    return layers;
}

bool is_mask_chain(const sdk::Chain& chain) { return read_masks(chain, 0).has_value(); }

bool is_cast_image(const sdk::Chain& chain) {
    return chain.size() == 2 && chain[0].type() == "image_to_tensor" && chain[1].type() == "cast";
}

ChainMasks MaskLayers::masks(const sluice_launch& launch) const {
    ChainMasks masks;
    masks.relu = relu;
    masks.join = join;
    if (rate > 0.0) {
        masks.threshold = static_cast<std::uint64_t>(std::ceil(rate * 0x1p32));
        masks.factor = static_cast<float>(1.0 / (1.0 - rate));
        masks.key = {launch.random_seed, launch.random_stream + dropout, launch.scalars};
    }
    return masks;
}

void MaskLayers::share_memory(const sdk::KernelSink& sink, bool with_first) const {
    if (with_first) {
        sink.may_overwrite(first, 0);
    }
    if (joins()) {
        sink.may_overwrite(outside, 0);
    }
    if (with_first && !adds_first) {
        sink.may_overwrite_gradient(0, first);
    }
}

std::string note_of(const sdk::Chain& chain) {
    return chain.size() == 1 ? "own pass" : std::to_string(chain.size()) + " layers in one pass";
}

}  // namespace sluice::cudnn
