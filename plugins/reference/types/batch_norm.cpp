#include "types/batch_norm.hpp"

#include "types/checks.hpp"

namespace sluice::reference {

sluice_layer_traits BatchNorm::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }

void BatchNorm::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("batch_norm", inputs, 1, 1);
    expect_activation("batch_norm", inputs, 0);
    const sluice_tensor_spec& x = inputs[0];
    if (x.rank < 2) {
        throw sdk::Failure(SLUICE_INVALID, "batch_norm: input 0 is " + sdk::describe(x) + "; it should be [N, ..., C]");
    }
    const sluice_tensor_spec per_channel = sdk::make_spec(sdk::kFloat32, {x.shape[x.rank - 1]});

    sluice_parameter gamma{};
    gamma.name = sdk::text_of("gamma");
    gamma.spec = per_channel;
    gamma.initializer = SLUICE_INIT_ONES;
    sink.parameter(gamma);
    sluice_parameter beta{};
    beta.name = sdk::text_of("beta");
    beta.spec = per_channel;
    beta.initializer = SLUICE_INIT_ZEROS;
    sink.parameter(beta);
    sink.state("mean", per_channel, 0.0);
    sink.state("variance", per_channel, 1.0);
    sink.output(x);
}

}  // namespace sluice::reference
