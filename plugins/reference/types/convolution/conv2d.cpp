#include "types/convolution/conv2d.hpp"

#include "types/checks.hpp"
#include "types/parameters.hpp"

namespace sluice::reference {

Conv2d::Conv2d(sdk::Host, const sdk::Options& options)
    : options_(options), bias_(options.boolean("bias")), initializer_(initializer_of(options.string("initializer"))) {}

sluice_layer_traits Conv2d::traits() const { return make_traits({.colour = SLUICE_COLOUR_ALLOW}); }

void Conv2d::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("conv2d", inputs, 1, 1);
    expect_image("conv2d", inputs, 0);
    const ConvGeometry g = conv_geometry(options_, inputs[0]);
    const std::int64_t taps = g.height.kernel * g.width.kernel;
    const sluice_tensor_spec output = sdk::make_spec(inputs[0].dtype, {g.batch, g.height.out, g.width.out, g.filters});
    // Fans are those of one group: the number of inputs of an output, and the number of outputs that read an input.
    add_kernel(sink, {g.filters, g.height.kernel, g.width.kernel, g.group_channels()}, initializer_,
               {.in = taps * g.group_channels(), .out = taps * g.group_filters()});
    if (bias_) {
        add_vector(sink, "bias", sdk::make_spec(sdk::kFloat32, {g.filters}), SLUICE_INIT_ZEROS);
    }
    sink.output(output);
    sink.flops(2.0 * static_cast<double>(sdk::element_count(output) * taps * g.group_channels()));
}

}  // namespace sluice::reference
