#include "types/shape/concat.hpp"

#include <string>

#include "types/checks.hpp"

namespace sluice::reference {

std::int32_t concat_axis(std::int64_t axis, const sluice_tensor_spec& input) {
    const std::int64_t from_first = axis < 0 ? axis + input.rank : axis;
    if (from_first < 1 || from_first >= input.rank) {
        throw sdk::Failure(SLUICE_INVALID, "concat: axis is " + std::to_string(axis) + " and input 0 is " +
                                               sdk::describe(input) + "; axis should be 1 to " +
                                               std::to_string(input.rank - 1) +
                                               ", or negative to count from the last; samples cannot be joined");
    }
    return static_cast<std::int32_t>(from_first);
}

sluice_layer_traits Concat::traits() const {
    return make_traits({.colour = SLUICE_COLOUR_CLEAR, .inputs = 2, .most_inputs = kMostInputs});
}

void Concat::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("concat", inputs, 2, kMostInputs);
    expect_features("concat", inputs, 0);
    sluice_tensor_spec output = inputs[0];
    const std::int32_t axis = concat_axis(axis_, output);
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        expect_activation("concat", inputs, i);
        sluice_tensor_spec alike = inputs[i];
        alike.shape[axis] = inputs[0].shape[axis];
        if (!sdk::same_shape(alike, inputs[0]) || !sdk::same(alike.dtype, inputs[0].dtype)) {
            throw sdk::Failure(SLUICE_INVALID, "concat: input " + std::to_string(i) + " is " +
                                                   sdk::describe(inputs[i]) + " and input 0 is " +
                                                   sdk::describe(inputs[0]) + "; they may differ only in axis " +
                                                   std::to_string(axis));
        }
        output.shape[axis] += inputs[i].shape[axis];
    }
    sink.output(output);
}

}  // namespace sluice::reference
