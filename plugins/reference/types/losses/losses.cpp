#include "types/losses/losses.hpp"

#include "types/checks.hpp"

namespace sluice::reference {
namespace {

sluice_layer_traits loss_traits() {
    return make_traits({.role = SLUICE_ROLE_LOSS, .colour = SLUICE_COLOUR_DENY, .inputs = 2});
}

void infer_loss(std::string_view layer, Specs inputs, const sdk::LayerSink& sink) {
    expect_count(layer, inputs, 2, 2);
    expect_alike(layer, inputs);
    sink.output(sdk::make_spec(sdk::kFloat32, {inputs[0].shape[0], 2}));
}

}  // namespace

sluice_layer_traits MeanAbsoluteError::traits() const { return loss_traits(); }
void MeanAbsoluteError::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_loss("mean_absolute_error", inputs, sink);
}

sluice_layer_traits MeanSquaredError::traits() const { return loss_traits(); }
void MeanSquaredError::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_loss("mean_squared_error", inputs, sink);
}

Charbonnier::Charbonnier(sdk::Host, const sdk::Options& options) {
    if (!(options.number("epsilon") > 0.0)) {
        throw sdk::Failure(SLUICE_INVALID,
                           "charbonnier: epsilon is 0; it should be above 0 (for 0, use mean_absolute_error)");
    }
}
sluice_layer_traits Charbonnier::traits() const { return loss_traits(); }
void Charbonnier::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    infer_loss("charbonnier", inputs, sink);
}

}  // namespace sluice::reference
