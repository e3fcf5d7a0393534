// Reads chains of masks, which a kernel computes in one pass over memory: [add] masks, or masks [add]. "Masks" are
// relu, dropout, or both in any order: they set elements to 0. The add sums with a tensor from outside the chain.
//
//     const std::optional<sdk::MaskLayers> layers = sdk::read_mask_chain(chain, 0, chain.size());
//     if (!layers) {
//         return "it is not a chain of masks";
//     }
//     const float* const x = sdk::input<float>(launch, layers->first);
//     const float* const added = layers->joins() ? sdk::input<float>(launch, layers->outside) : nullptr;
//
// Rates are shares of the elements, from 0 to less than 1. A dropout without the option `rate` throws SLUICE_INVALID.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "sluice/sdk/kernel.hpp"

namespace sluice::sdk {

// The place where the tensor from outside is added.
enum class Join { none, before_masks, after_masks };

// The layers of a chain, in the order in which they run.
struct MaskLayers {
    bool relu = false;
    Join join = Join::none;
    std::uint32_t dropout = 0;  // index of the layer in the chain, if rate > 0
    double rate = 0.0;          // of the dropout; 0 outside training
    // Indices of the launch's inputs. If the chain begins with add, the second input counts as the chain's first. If
    // both inputs are one tensor, its gradient is then written second, as the plan expects.
    std::uint32_t first = 0;
    std::uint32_t outside = 1;
    bool adds_first = false;    // the gradient of input `first` accumulates
    bool adds_outside = false;  // the gradient of input `outside` accumulates
    bool trains = false;

    [[nodiscard]] bool joins() const { return join != Join::none; }
    // Dropout sets an element to 0 if its random word is below drop_threshold(), and multiplies the others by
    // kept_factor(). 0: nothing is dropped.
    [[nodiscard]] std::uint64_t drop_threshold() const { return static_cast<std::uint64_t>(std::ceil(rate * 0x1p32)); }
    [[nodiscard]] float kept_factor() const { return static_cast<float>(1.0 / (1.0 - rate)); }
    // Declares which tensors may share memory, for kernels that read each element before they write it. with_first:
    // also the chain's first value, and its gradient.
    void share_memory(const KernelSink& sink, bool with_first = true) const {
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
};

namespace detail {

// Adds layer number `index` to `layers`. Returns false if it does not fit there.
inline bool read_mask_layer(const Node& node, std::uint32_t index, bool masked_before, MaskLayers& layers) {
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

}  // namespace detail

// Reads the layers from `begin` (1 after a batch_norm) up to but not including `end`. outside: the index of the
// launch's first input that may be added. Returns nullopt for another chain.
inline std::optional<MaskLayers> read_mask_chain(const Chain& chain, std::size_t begin, std::size_t end,
                                                 std::uint32_t outside = 1) {
    MaskLayers layers;
    layers.outside = outside;
    layers.trains = chain[0].trains();
    bool masked = false;
    for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
        // A layer after an add that follows a mask would need a second set of mask bits.
        if (layers.join == Join::after_masks || !detail::read_mask_layer(chain[i], i, masked, layers)) {
            return std::nullopt;
        }
        masked = masked || chain[i].type() != "add";
    }
    layers.adds_first = chain[0].accumulates_gradient(layers.first);
    return layers;
}

}  // namespace sluice::sdk
