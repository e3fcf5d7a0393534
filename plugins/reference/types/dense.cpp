#include "types/dense.hpp"

#include "types/checks.hpp"
#include "types/parameters.hpp"

namespace sluice::reference {

Dense::Dense(sdk::Host, const sdk::Options& options)
    : units_(options.integer("units")),
      bias_(options.boolean("bias")),
      initializer_(initializer_of(options.string("initializer"))) {}

sluice_layer_traits Dense::traits() const { return make_traits({.colour = SLUICE_COLOUR_ALLOW}); }

void Dense::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("dense", inputs, 1, 1);
    expect_features("dense", inputs, 0);
    sluice_tensor_spec output = inputs[0];
    const std::int64_t features = output.shape[output.rank - 1];
    output.shape[output.rank - 1] = units_;
    add_kernel(sink, {units_, features}, initializer_, {.in = features, .out = units_});
    if (bias_) {
        add_vector(sink, "bias", sdk::make_spec(sdk::kFloat32, {units_}), SLUICE_INIT_ZEROS);
    }
    sink.output(output);
    sink.flops(2.0 * static_cast<double>(sdk::element_count(output) * features));
}

}  // namespace sluice::reference
