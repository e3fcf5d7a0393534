#include "types/arithmetic/layer_scale.hpp"

#include "types/checks.hpp"
#include "types/parameters.hpp"

namespace sluice::reference {

sluice_layer_traits LayerScale::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }

void LayerScale::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("layer_scale", inputs, 1, 1);
    expect_features("layer_scale", inputs, 0);
    const std::int64_t channels = inputs[0].shape[inputs[0].rank - 1];
    add_constant(sink, "gamma", sdk::make_spec(sdk::kFloat32, {channels}), initial_);
    sink.output(inputs[0]);
}

}  // namespace sluice::reference
