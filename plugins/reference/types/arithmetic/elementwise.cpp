#include "types/arithmetic/elementwise.hpp"

#include "types/checks.hpp"

namespace sluice::reference {
namespace {

void infer_same(std::string_view layer, Specs inputs, const sdk::LayerSink& sink) {
    expect_alike(layer, inputs);
    sink.output(inputs[0]);
}

}  // namespace

sluice_layer_traits Add::traits() const {
    return make_traits({.colour = SLUICE_COLOUR_INFER, .inputs = 2, .most_inputs = kMostInputs});
}
void Add::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("add", inputs, 2, kMostInputs);
    infer_same("add", inputs, sink);
}

sluice_layer_traits Scale::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }
void Scale::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("scale", inputs, 1, 1);
    infer_same("scale", inputs, sink);
}

}  // namespace sluice::reference
