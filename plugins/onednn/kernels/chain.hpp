// Chains that run as one pass over memory: [batch_norm] [add] cuts, or [batch_norm] cuts [add], where cuts are relu or
// dropout or both in any order. Each part may be missing.
#pragma once

#include <optional>

#include "kernels/kernels.hpp"
#include "math/chain_pass.hpp"

namespace sluice::onednn {

// What a chain does, in the order of computing.
struct ChainLayers {
    bool normalises = false;
    bool relu = false;
    Join join = Join::none;
    std::uint32_t dropout = 0;  // which layer, where rate > 0
    double rate = 0.0;
    // Inputs of the launch. Of a leading add it is the second that counts as the chain's first: where both are one
    // tensor, its gradient comes second, as the plan has it.
    std::uint32_t first = 0;
    std::uint32_t outside = 1;
    bool adds_first = false;    // the gradient of the first input is added to what is there
    bool adds_outside = false;  // and that of what add takes from outside the chain
    bool trains = false;
};
// Nothing where it is another chain.
std::optional<ChainLayers> read_chain(const sdk::Chain& chain);

// The pass of one launch over rows [count, C], and the bits between forward and backward.
class Cuts {
public:
    explicit Cuts(const ChainLayers& layers);
    // Asks for `bytes` of bits as saved block number `index`, where there are any.
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
    // Tells what may share memory, and how it is computed.
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
