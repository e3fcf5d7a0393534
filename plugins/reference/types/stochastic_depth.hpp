// stochastic_depth (Huang et al., 2016): in training each sample is zero with probability `rate`, the others are
// multiplied by 1 / (1 - rate); in evaluation nothing changes. It stands at the end of a residual branch.
//
// Every provider must draw the same samples, by the rule of dropout.hpp for samples in place of elements: sample n is
// dropped if word n % 4 of Philox block n / 4 under the launch's random key is less than rate * 2^32.
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class StochasticDepth : public sdk::Layer {
public:
    StochasticDepth(sdk::Host host, const sdk::Options& options);
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

}  // namespace sluice::reference
