#include "types/conversion/cast.hpp"

#include "types/checks.hpp"

namespace sluice::reference {
namespace {

sluice_dtype dtype_of(const std::string& name) {
    for (const sluice_dtype dtype : {sdk::kFloat16, sdk::kBfloat16, sdk::kFloat32, sdk::kFloat64}) {
        if (sdk::name_of(dtype) == name) {
            return dtype;
        }
    }
    throw sdk::Failure(SLUICE_INVALID, "cast: there is no type '" + name + "'");
}

}  // namespace

Cast::Cast(const sdk::Host& /*host*/, const sdk::Options& options) : to_(dtype_of(options.string("to"))) {}

sluice_layer_traits Cast::traits() const { return make_traits({.colour = SLUICE_COLOUR_CLEAR}); }

void Cast::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("cast", inputs, 1, 1);
    expect_activation("cast", inputs, 0);
    sluice_tensor_spec output = inputs[0];
    output.dtype = to_;
    sink.output(output);
}

}  // namespace sluice::reference
