#include "types/conversion/image.hpp"

#include <string>

#include "types/checks.hpp"

namespace sluice::reference {
namespace {

void report(const sluice_tensor_spec& input, const sdk::LayerSink& sink) {
    sluice_tensor_spec output = input;
    output.dtype = sdk::kFloat32;
    sink.output(output);
}

}  // namespace

ValueRange::ValueRange(std::string_view layer, const sdk::Options& options)
    : low(options.number("low")), high(options.number("high")) {
    if (!(low < high)) {
        throw sdk::Failure(SLUICE_INVALID, std::string(layer) + ": low is " + std::to_string(low) + " and high is " +
                                               std::to_string(high) + "; low should be less than high");
    }
}

ChannelNorm::ChannelNorm(const sdk::Options& options) {
    mean = options.has("mean") ? options.numbers("mean") : mean;
    deviation = options.has("std") ? options.numbers("std") : deviation;
    if (mean.size() != deviation.size()) {
        throw sdk::Failure(SLUICE_INVALID, "image_to_tensor: mean has " + std::to_string(mean.size()) +
                                               " numbers and std " + std::to_string(deviation.size()) +
                                               "; both should have one for each channel");
    }
    for (const double one : deviation) {
        if (!(one > 0.0)) {
            throw sdk::Failure(SLUICE_INVALID,
                               "image_to_tensor: std has " + std::to_string(one) + "; it should be more than 0");
        }
    }
}

ImageToTensor::ImageToTensor(sdk::Host, const sdk::Options& options) : norm_(options) {
    ValueRange("image_to_tensor", options);
}

sluice_layer_traits ImageToTensor::traits() const {
    return make_traits({.colour = SLUICE_COLOUR_DENY, .flags = SLUICE_LAYER_NO_GRADIENT});
}

void ImageToTensor::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("image_to_tensor", inputs, 1, 1);
    expect_image_extents("image_to_tensor", inputs, 0);
    if (!sdk::same(inputs[0].dtype, sdk::kUint8)) {
        expect_activation("image_to_tensor", inputs, 0);
    }
    const std::int64_t channels = inputs[0].shape[3];
    if (!norm_.mean.empty() && std::ssize(norm_.mean) != channels) {
        throw sdk::Failure(SLUICE_INVALID, "image_to_tensor: mean has " + std::to_string(norm_.mean.size()) +
                                               " numbers, and input 0 is " + sdk::describe(inputs[0]) +
                                               "; it should have one for each channel");
    }
    report(inputs[0], sink);
}

TensorToImage::TensorToImage(sdk::Host, const sdk::Options& options) { ValueRange("tensor_to_image", options); }

sluice_layer_traits TensorToImage::traits() const {
    return make_traits({.colour = SLUICE_COLOUR_DENY, .flags = SLUICE_LAYER_NO_GRADIENT});
}

void TensorToImage::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("tensor_to_image", inputs, 1, 1);
    expect_image("tensor_to_image", inputs, 0);
    report(inputs[0], sink);
}

}  // namespace sluice::reference
