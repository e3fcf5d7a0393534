#include "types/arithmetic/gate.hpp"

#include <string>

#include "types/checks.hpp"

namespace sluice::reference {

sluice_layer_traits Gate::traits() const { return make_traits({.colour = SLUICE_COLOUR_INFER}); }

void Gate::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("gate", inputs, 1, 1);
    expect_features("gate", inputs, 0);
    sluice_tensor_spec spec = inputs[0];
    std::int64_t& channels = spec.shape[spec.rank - 1];
    if (channels % 2 != 0) {
        throw sdk::Failure(SLUICE_INVALID,
                           "gate: input 0 is " + sdk::describe(spec) + "; it should have an even number of channels");
    }
    channels /= 2;
    sink.output(spec);
}

}  // namespace sluice::reference
