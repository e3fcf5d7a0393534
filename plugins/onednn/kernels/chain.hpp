// Chains that run as one pass over memory: [batch_norm] [add] masks, or [batch_norm] masks [add]. "Masks" are relu,
// dropout or both in any order: they set elements to 0. Each part may be missing.
#pragma once

#include <optional>

#include "kernels/kernels.hpp"
#include "math/chain_pass.hpp"

namespace sluice::onednn {

// The layers of a chain, in the order of computing.
struct ChainLayers {
    bool normalises = false;
    bool relu = false;
    Join join = Join::none;
    std::uint32_t dropout = 0;  // index of its layer in the chain, if rate > 0
    double rate = 0.0;
    // Indices of the launch's inputs. For a chain that begins with add, `first` is its second input. If both inputs are
    // one tensor, the plan lets the second gradient accumulate, so it must be written last.
    std::uint32_t first = 0;
    std::uint32_t outside = 1;
    bool adds_first = false;    // the gradient of input `first` accumulates
    bool adds_outside = false;  // the gradient of input `outside` accumulates
    bool trains = false;
};
// Returns nullopt for any other chain.
std::optional<ChainLayers> read_chain(const sdk::Chain& chain);

// Makes the pass of a launch over rows [count, C], and keeps the mask bits between forward and backward.
class ChainMasks {
public:
    explicit ChainMasks(const ChainLayers& layers);
    // Requests `bytes` for mask bits as saved block number `index`, if the chain has any.
    void save_bits(const sdk::KernelSink& sink, std::int64_t bytes, std::size_t index);

    [[nodiscard]] const ChainLayers& layers() const { return layers_; }
    [[nodiscard]] ChainPass pass(const sluice_launch& launch) const;
    template <class Element>
    [[nodiscard]] ForwardRows<Element> forward(const sluice_launch& launch) const {
        const bool joins = layers_.join != Join::none;
        return {sdk::input<Element>(launch, layers_.first),
                joins ? sdk::input<Element>(launch, layers_.outside) : nullptr, sdk::output<Element>(launch, 0),
                bits(launch)};
    }
    template <class Element>
    [[nodiscard]] BackwardRows<Element> backward(const sluice_launch& launch) const {
        const bool joins = layers_.join != Join::none;
        return {sdk::output_gradient<Element>(launch, 0),
                bits(launch),
                dropout_.factor,
                layers_.join,
                joins ? sdk::input_gradient<Element>(launch, layers_.outside) : nullptr,
                layers_.adds_outside};
    }
    template <class Element>
    [[nodiscard]] Element* first_gradient(const sluice_launch& launch) const {
        return sdk::input_gradient<Element>(launch, layers_.first);
    }
    // Declares which tensors may share memory, and notes how the chain is computed.
    void describe(const PlanContext& context) const;

private:
    [[nodiscard]] std::uint8_t* bits(const sluice_launch& launch) const {
        return has_bits_ ? sdk::saved<std::uint8_t>(launch, saved_) : nullptr;
    }

    ChainLayers layers_;
    Dropout dropout_;
    bool has_bits_;
    std::size_t saved_ = 0;
};

}  // namespace sluice::onednn
