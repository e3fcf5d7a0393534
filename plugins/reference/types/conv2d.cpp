#include "types/conv2d.hpp"

#include <string>

#include "types/checks.hpp"

namespace sluice::reference {
namespace {

std::int32_t initializer_of(const std::string& name) {
    if (name == "glorot_uniform") {
        return SLUICE_INIT_GLOROT_UNIFORM;
    }
    if (name == "glorot_normal") {
        return SLUICE_INIT_GLOROT_NORMAL;
    }
    return name == "he_uniform" ? SLUICE_INIT_HE_UNIFORM : SLUICE_INIT_HE_NORMAL;
}

}  // namespace

Conv2d::Conv2d(sdk::Host, const sdk::Options& options)
    : window_(options), bias_(options.boolean("bias")), initializer_(initializer_of(options.string("initializer"))) {}

sluice_layer_traits Conv2d::traits() const { return make_traits({.colour = SLUICE_COLOUR_ALLOW}); }

void Conv2d::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("conv2d", inputs, 1, 1);
    expect_image("conv2d", inputs, 0);
    const ConvGeometry g = conv_geometry(window_, inputs[0]);
    const std::int64_t taps = g.height.kernel * g.width.kernel;
    const sluice_tensor_spec output = sdk::make_spec(inputs[0].dtype, {g.batch, g.height.out, g.width.out, g.filters});

    sluice_parameter kernel{};
    kernel.name = sdk::text_of("kernel");
    kernel.spec = sdk::make_spec(sdk::kFloat32, {g.filters, g.height.kernel, g.width.kernel, g.channels});
    kernel.initializer = initializer_;
    kernel.fan_in = taps * g.channels;
    kernel.fan_out = taps * g.filters;
    sink.parameter(kernel);
    if (bias_) {
        sluice_parameter bias{};
        bias.name = sdk::text_of("bias");
        bias.spec = sdk::make_spec(sdk::kFloat32, {g.filters});
        bias.initializer = SLUICE_INIT_ZEROS;
        sink.parameter(bias);
    }
    sink.output(output);
    sink.flops(2.0 * static_cast<double>(sdk::element_count(output) * taps * g.channels));
}

}  // namespace sluice::reference
