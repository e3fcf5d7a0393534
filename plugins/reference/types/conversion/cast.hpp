// Layer `cast`: the same numbers in another type, rounded to the nearest. The host inserts it where a precision policy
// changes the type.
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class Cast : public sdk::Layer {
public:
    Cast(const sdk::Host& host, const sdk::Options& options);
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    sluice_dtype to_;
};

}  // namespace sluice::reference
