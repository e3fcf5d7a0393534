// Chains that run as one pass over memory: batch_norm, then masks with an add before or after them
// (sluice/sdk/mask_chain.hpp). Each part may be missing.
#pragma once

#include <optional>

#include "kernels/kernels.hpp"
#include "math/chain_pass.hpp"
#include "sluice/sdk/mask_chain.hpp"

namespace sluice::onednn {

// Returns nullopt for any other chain.
std::optional<sdk::MaskLayers> read_chain(const sdk::Chain& chain);

// Makes the pass of a launch over rows [count, C], and keeps the mask bits between forward and backward.
class ChainMasks {
public:
    explicit ChainMasks(const sdk::MaskLayers& layers);
    // Requests `bytes` for mask bits as saved block number `index`, if the chain has any.
    void save_bits(const sdk::KernelSink& sink, std::int64_t bytes, std::size_t index);

    [[nodiscard]] const sdk::MaskLayers& layers() const { return layers_; }
    [[nodiscard]] ChainPass pass(const sluice_launch& launch) const;
    template <class Element>
    [[nodiscard]] ForwardRows<Element> forward(const sluice_launch& launch) const {
        return {sdk::input<Element>(launch, layers_.first),
                layers_.joins() ? sdk::input<Element>(launch, layers_.outside) : nullptr,
                sdk::output<Element>(launch, 0), bits(launch)};
    }
    template <class Element>
    [[nodiscard]] BackwardRows<Element> backward(const sluice_launch& launch) const {
        return {sdk::output_gradient<Element>(launch, 0),
                bits(launch),
                dropout_.factor,
                layers_.join,
                layers_.joins() ? sdk::input_gradient<Element>(launch, layers_.outside) : nullptr,
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

    sdk::MaskLayers layers_;
    Dropout dropout_;
    bool has_bits_;
    std::size_t saved_ = 0;
};

}  // namespace sluice::onednn
