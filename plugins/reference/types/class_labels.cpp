#include "types/class_labels.hpp"

#include <algorithm>
#include <string>

namespace sluice::reference {
namespace {

// True if input 1 holds one class number for each position of input 0.
bool are_labels(Specs inputs) {
    sluice_tensor_spec right = inputs[0];
    right.shape[--right.rank] = 0;
    const bool single =
        sdk::element_count(right) == right.shape[0] && inputs[1].rank == 1 && inputs[1].shape[0] == right.shape[0];
    return sdk::is_label_type(inputs[1].dtype) && (single || sdk::same_shape(inputs[1], right));
}

// True if input 1 holds one float for each class of each position.
bool are_probabilities(Specs inputs) {
    const std::int64_t classes = inputs[0].shape[inputs[0].rank - 1];
    const bool single = sdk::element_count(inputs[0]) == inputs[0].shape[0] * classes && inputs[1].rank == 2 &&
                        inputs[1].shape[0] == inputs[0].shape[0] && inputs[1].shape[1] == classes;
    return sdk::same(inputs[1].dtype, inputs[0].dtype) && (single || sdk::same_shape(inputs[1], inputs[0]));
}

// Returns how to decode label pictures to class numbers, if the target looks like colour pictures; else empty.
std::string decoding_advice(Specs inputs) {
    const bool are_colours =
        !sdk::is_label_type(inputs[1].dtype) && inputs[0].rank == 4 && inputs[1].rank == 4 && inputs[1].shape[3] == 3;
    return are_colours ? "; if these are label pictures, decode them with label_maps = [\"FIELD\"] to class numbers"
                       : "";
}

[[noreturn]] void throw_wrong_target(std::string_view layer, Specs inputs, const std::string& or_else) {
    sluice_tensor_spec right = inputs[0];
    right.shape[--right.rank] = 0;
    right.dtype = sdk::kInt64;
    throw sdk::Failure(SLUICE_INVALID, std::string(layer) + ": the target is " + sdk::describe(inputs[1]) +
                                           "; for the prediction " + sdk::describe(inputs[0]) + " it should be " +
                                           sdk::describe(right) + ", int32 or uint8: class numbers" + or_else +
                                           decoding_advice(inputs));
}

void expect_nothing_ignored(std::string_view layer, Specs inputs, const IgnoredLabel& ignored) {
    if (ignored) {
        throw sdk::Failure(SLUICE_INVALID, std::string(layer) + ": ignore_label is " + std::to_string(*ignored) +
                                               ", but the target " + sdk::describe(inputs[1]) +
                                               " holds no class numbers");
    }
}

}  // namespace

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
    if (!are_labels(inputs)) {
        throw_wrong_target(layer, inputs, "");
    }
}

void expect_floats(std::string_view layer, Specs inputs, const IgnoredLabel& ignored) {
    if (!sdk::same_shape(inputs[0], inputs[1])) {
        throw sdk::Failure(SLUICE_INVALID, std::string(layer) + ": the target is " + sdk::describe(inputs[1]) +
                                               "; it should be like the prediction, " + sdk::describe(inputs[0]) +
                                               decoding_advice(inputs));
    }
    expect_alike(layer, inputs);
    expect_nothing_ignored(layer, inputs, ignored);
}

void expect_classes(std::string_view layer, Specs inputs, std::int64_t least, const IgnoredLabel& ignored) {
    expect_count(layer, inputs, 2, 2);
    expect_scores(layer, inputs, least);
    if (are_probabilities(inputs)) {
        expect_nothing_ignored(layer, inputs, ignored);
    } else if (!are_labels(inputs)) {
        throw_wrong_target(layer, inputs, ", or " + sdk::describe(inputs[0]) + ": a probability for each class");
    }
}

}  // namespace sluice::reference
