// Chains that run as one pass over memory: [begin] [add] masks, or [begin] masks [add]. "Masks" are relu, dropout, or
// both in any order: they set elements to 0. "begin" is batch_norm or scale. Each part may be missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cuda/masks.cuh"
#include "kernels/kernels.hpp"

namespace sluice::cudnn {

// The layers of a chain, from one of them on, in the order in which they run.
struct MaskLayers {
    float scale = 1.0F;  // of the input, if the chain begins with scale
    bool relu = false;
    Join join = Join::none;
    std::uint32_t dropout = 0;  // the index of the layer in the chain, if rate > 0
    double rate = 0.0;
    // Indices of the launch's inputs. If the chain begins with add, the second input counts as the chain's first. If
    // both inputs are one tensor, its gradient is then written second, as the plan expects.
    std::uint32_t first = 0;
    std::uint32_t outside = 1;
    bool adds_first = false;    // the gradient of the first input accumulates
    bool adds_outside = false;  // the gradient of the tensor from outside the chain accumulates
    bool trains = false;

    [[nodiscard]] bool joins() const { return join != Join::none; }
    // True if backward needs a bit for each element. Without relu, it draws dropout again instead.
    [[nodiscard]] bool has_bits() const { return trains && relu; }
    // Returns the kernels' argument for one launch.
    [[nodiscard]] ChainMasks masks(const sluice_launch& launch) const;
    // Declares which tensors may share memory. with_first: also the chain's first value, and its gradient.
    void share_memory(const sdk::KernelSink& sink, bool with_first = true) const;
};

// Reads the layers from `begin` (1 after a batch_norm) up to but not including `end`. outside: the index of the
// launch's first input that may be added. Empty: it is another chain.
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
