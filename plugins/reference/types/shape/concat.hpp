// concat: joins the inputs along one axis; their other extents must be equal.
#pragma once

#include "sluice/sdk/layer.hpp"

namespace sluice::reference {

class Concat : public sdk::Layer {
public:
    Concat(sdk::Host, const sdk::Options& options) : axis_(options.integer("axis")) {}
    [[nodiscard]] sluice_layer_traits traits() const override;
    void infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const override;

private:
    std::int64_t axis_;  // counted from the last if it is negative
};

// Returns the axis, counted from the first. Throws SLUICE_INVALID if there is no such axis or it is that of the
// samples.
std::int32_t concat_axis(std::int64_t axis, const sluice_tensor_spec& input);

}  // namespace sluice::reference
