#include "types/class_labels.hpp"

#include <algorithm>
#include <string>

namespace sluice::reference {

IgnoredLabel ignored_label(const sdk::Options& options) { return options.maybe_integer("ignore_label"); }

sluice_layer_traits label_traits(const TraitValues& values, const IgnoredLabel& ignored, std::int64_t classes) {
    sluice_layer_traits traits = make_traits(values);
    traits.label_inputs = 2;
    traits.label_classes = classes;
    if (ignored) {
        traits.flags |= SLUICE_LAYER_IGNORES_LABEL;
        traits.ignored_label = *ignored;
    }
    return traits;
}

void expect_scores(std::string_view layer, Specs inputs, std::int64_t least) {
    expect_activation(layer, inputs, 0);
    const sluice_tensor_spec& scores = inputs[0];
    if (scores.rank < 2 || scores.shape[scores.rank - 1] < least) {
        throw sdk::Failure(SLUICE_INVALID, std::string(layer) + ": the prediction is " + sdk::describe(scores) +
                                               "; it should be [N, K] or [N, H, W, K] with a number for each of K >= " +
                                               std::to_string(least) + " classes");
    }
}

void expect_labels(std::string_view layer, Specs inputs, std::int64_t least) {
    expect_count(layer, inputs, 2, 2);
    expect_scores(layer, inputs, least);
    sluice_tensor_spec right = inputs[0];
    right.shape[--right.rank] = 0;
    right.dtype = inputs[1].dtype;
    const bool single =
        sdk::element_count(right) == right.shape[0] && inputs[1].rank == 1 && inputs[1].shape[0] == right.shape[0];
    if (!sdk::is_label_type(inputs[1].dtype) || !(single || sdk::same_shape(inputs[1], right))) {
        right.dtype = sdk::kInt64;
        throw sdk::Failure(SLUICE_INVALID, std::string(layer) + ": the target is " + sdk::describe(inputs[1]) +
                                               "; for the prediction " + sdk::describe(inputs[0]) + " it should be " +
                                               sdk::describe(right) + ", int32 or uint8: class numbers");
    }
}

}  // namespace sluice::reference
