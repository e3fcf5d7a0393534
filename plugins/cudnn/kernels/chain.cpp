#include "kernels/chain.hpp"

namespace sluice::cudnn {

std::optional<MaskLayers> read_masks(const sdk::Chain& chain, std::size_t begin, std::size_t end,
                                     std::uint32_t outside) {
    const bool scales = begin == 0 && chain[0].type() == "scale";
    const std::optional<sdk::MaskLayers> layers = sdk::read_mask_chain(chain, scales ? 1 : begin, end, outside);
    if (!layers) {
        return std::nullopt;
    }
    return MaskLayers{*layers, scales ? static_cast<float>(chain[0].options().number("factor")) : 1.0F};
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
        masks.threshold = drop_threshold();
        masks.factor = kept_factor();
        masks.key = {launch.random_seed, launch.random_stream + dropout, launch.scalars};
    }
    return masks;
}

std::string note_of(const sdk::Chain& chain) {
    return chain.size() == 1 ? "own pass" : std::to_string(chain.size()) + " layers in one pass";
}

}  // namespace sluice::cudnn
