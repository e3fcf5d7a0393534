#include "types/norms/batch_norm.hpp"

#include "types/checks.hpp"
#include "types/parameters.hpp"

namespace sluice::reference {

sluice_layer_traits BatchNorm::traits() const {
    return make_traits(
        {.colour = SLUICE_COLOUR_INFER, .flags = synchronized_ ? std::uint32_t{SLUICE_LAYER_JOINS_REPLICAS} : 0U});
}

void BatchNorm::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("batch_norm", inputs, 1, 1);
    expect_features("batch_norm", inputs, 0);
    const sluice_tensor_spec& x = inputs[0];
    const sluice_tensor_spec per_channel = sdk::make_spec(sdk::kFloat32, {x.shape[x.rank - 1]});

    add_vector(sink, "gamma", per_channel, SLUICE_INIT_ONES);
    add_vector(sink, "beta", per_channel, SLUICE_INIT_ZEROS);
    sink.state("mean", per_channel, 0.0);
    sink.state("variance", per_channel, 1.0);
    sink.output(x);
}

}  // namespace sluice::reference
