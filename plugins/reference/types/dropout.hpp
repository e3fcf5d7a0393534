// dropout (Srivastava et al., 2014): in training each element is zero with probability `rate`, the others are
// multiplied by 1 / (1 - rate); in evaluation nothing changes.
//
// Every provider must draw the same mask, by this rule: number the elements in dense order (NHWC) from 0. Element i is
// dropped if word i % 4 of Philox block i / 4 under the launch's random key, an unsigned 32-bit number, is less than
// rate * 2^32, both taken as float64 (which holds the word and the product exactly).
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class Dropout : public sdk::Layer {
public:
    Dropout(sdk::Host host, const sdk::Options& options);
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;
};

}  // namespace sluice::reference
