#include "types/losses/label_losses.hpp"

#include <string>

namespace sluice::reference {
namespace {

sluice_layer_traits loss_traits(const IgnoredLabel& ignored, std::int64_t classes = 0) {
    return label_traits({.role = SLUICE_ROLE_LOSS, .colour = SLUICE_COLOUR_DENY, .inputs = 2}, ignored, classes);
}

void report(Specs inputs, const sdk::LayerSink& sink) {
    sink.output(sdk::make_spec(sdk::kFloat32, {inputs[0].shape[0], 2}));
}

std::size_t count_of(const sdk::Options& options, std::string_view name) {
    return options.has(name) ? options.numbers(name).size() : 0;
}

std::int64_t channels_of(const sluice_tensor_spec& spec) { return spec.shape[spec.rank - 1]; }

}  // namespace

SoftmaxCrossEntropy::SoftmaxCrossEntropy(sdk::Host, const sdk::Options& options)
    : class_weights_(count_of(options, "class_weights")), ignored_(ignored_label(options)) {}

sluice_layer_traits SoftmaxCrossEntropy::traits() const { return loss_traits(ignored_); }

void SoftmaxCrossEntropy::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_classes("softmax_cross_entropy", inputs, 2, ignored_);
    const auto classes = static_cast<std::size_t>(channels_of(inputs[0]));
    if (class_weights_ != 0 && class_weights_ != classes) {
        throw sdk::Failure(SLUICE_INVALID,
                           "softmax_cross_entropy: class_weights has " + std::to_string(class_weights_) +
                               (class_weights_ == 1 ? " number" : " numbers") + "; the prediction " +
                               sdk::describe(inputs[0]) + " has " + std::to_string(classes) + " classes");
    }
    report(inputs, sink);
}

BinaryCrossEntropy::BinaryCrossEntropy(sdk::Host, const sdk::Options& options)
    : positive_weights_(count_of(options, "pos_weight")), ignored_(ignored_label(options)) {}

sluice_layer_traits BinaryCrossEntropy::traits() const { return loss_traits(ignored_, 2); }

void BinaryCrossEntropy::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    constexpr const char* kName = "binary_cross_entropy";
    expect_count(kName, inputs, 2, 2);
    if (sdk::is_label_type(inputs[1].dtype)) {
        expect_labels(kName, inputs, 1);
        if (channels_of(inputs[0]) != 1) {
            throw sdk::Failure(SLUICE_INVALID, std::string(kName) + ": the prediction is " + sdk::describe(inputs[0]) +
                                                   "; for a target of class numbers 0 and 1 it should have one channel "
                                                   "(for more classes: softmax_cross_entropy)");
        }
    } else {
        expect_floats(kName, inputs, ignored_);
    }
    const auto channels = static_cast<std::size_t>(channels_of(inputs[0]));
    if (positive_weights_ > 1 && positive_weights_ != channels) {
        throw sdk::Failure(SLUICE_INVALID,
                           std::string(kName) + ": pos_weight has " + std::to_string(positive_weights_) +
                               " numbers; it should have one, or one for each channel of " + sdk::describe(inputs[0]));
    }
    report(inputs, sink);
}

sluice_layer_traits Dice::traits() const { return loss_traits(ignored_); }

void Dice::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("dice", inputs, 2, 2);
    if (sdk::is_label_type(inputs[1].dtype)) {
        expect_labels("dice", inputs, 2);
    } else {
        expect_scores("dice", inputs, 1);
        expect_floats("dice", inputs, ignored_);
    }
    report(inputs, sink);
}

}  // namespace sluice::reference
