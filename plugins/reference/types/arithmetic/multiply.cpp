#include "types/arithmetic/multiply.hpp"

#include <algorithm>
#include <string>

#include "types/checks.hpp"

namespace sluice::reference {
namespace {

bool broadcasts_to(const sluice_tensor_spec& input, const sluice_tensor_spec& output) {
    if (input.rank != output.rank || !sdk::same(input.dtype, output.dtype) || input.shape[0] != output.shape[0]) {
        return false;
    }
    return std::equal(input.shape, input.shape + input.rank, output.shape,
                      [](std::int64_t mine, std::int64_t all) { return mine == all || mine == 1; });
}

}  // namespace

sluice_layer_traits Multiply::traits() const {
    return make_traits({.colour = SLUICE_COLOUR_INFER, .inputs = 2, .most_inputs = kMostInputs});
}

void Multiply::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("multiply", inputs, 2, kMostInputs);
    sluice_tensor_spec output = inputs[0];
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        expect_activation("multiply", inputs, i);
        for (std::int32_t axis = 0; axis < std::min(output.rank, inputs[i].rank); ++axis) {
            output.shape[axis] = std::max(output.shape[axis], inputs[i].shape[axis]);
        }
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!broadcasts_to(inputs[i], output)) {
            throw sdk::Failure(SLUICE_INVALID, "multiply: input " + std::to_string(i) + " is " +
                                                   sdk::describe(inputs[i]) + " and the product is " +
                                                   sdk::describe(output) +
                                                   "; each extent after the first should be that of the product or 1");
        }
    }
    sink.output(output);
}

}  // namespace sluice::reference
