#include "types/shape/flatten.hpp"

#include "types/checks.hpp"

namespace sluice::reference {

sluice_layer_traits Flatten::traits() const { return make_traits({.colour = SLUICE_COLOUR_CLEAR}); }

void Flatten::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("flatten", inputs, 1, 1);
    expect_activation("flatten", inputs, 0);
    const std::int64_t samples = inputs[0].shape[0];
    sink.output(sdk::make_spec(inputs[0].dtype, {samples, sdk::element_count(inputs[0]) / samples}));
}

}  // namespace sluice::reference
