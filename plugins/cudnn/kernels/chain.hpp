// Chains that run as one pass over memory: batch_norm or scale, then masks with an add before or after them
// (sluice/sdk/mask_chain.hpp). Each part may be missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cuda/masks.cuh"
#include "kernels/kernels.hpp"
#include "sluice/sdk/mask_chain.hpp"

namespace sluice::cudnn {

struct MaskLayers : sdk::MaskLayers {
    float scale = 1.0F;  // of the input, if the chain begins with scale

    // True if backward needs a bit for each element. Without relu, it draws dropout again instead.
    [[nodiscard]] bool has_bits() const { return trains && relu; }
    // Returns the kernels' argument for one launch.
    [[nodiscard]] ChainMasks masks(const sluice_launch& launch) const;
};

// Behaves like sdk::read_mask_chain(), but a scale may begin the chain.
std::optional<MaskLayers> read_masks(const sdk::Chain& chain, std::size_t begin, std::size_t end,
                                     std::uint32_t outside = 1);
inline std::optional<MaskLayers> read_masks(const sdk::Chain& chain, std::size_t begin) {
    return read_masks(chain, begin, chain.size());
}

bool is_mask_chain(const sdk::Chain& chain);
// True for batch_norm followed by masks.
bool is_norm_chain(const sdk::Chain& chain);
// True for convolutions that alternate with batch_norm and masks (conv_chain.cpp).
bool is_conv_chain(const sdk::Chain& chain);
// True for image_to_tensor followed by a cast.
bool is_cast_image(const sdk::Chain& chain);

// Bytes of the bits of a tensor of n elements.
inline std::uint64_t bit_bytes(std::int64_t n) { return static_cast<std::uint64_t>((n + kGroup - 1) / kGroup); }

// "3 layers in one pass"
std::string note_of(const sdk::Chain& chain);

}  // namespace sluice::cudnn
