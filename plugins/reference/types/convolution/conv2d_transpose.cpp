#include "types/convolution/conv2d_transpose.hpp"

#include "types/checks.hpp"
#include "types/parameters.hpp"

namespace sluice::reference {

Conv2dTranspose::Conv2dTranspose(sdk::Host, const sdk::Options& options)
    : options_(options), bias_(options.boolean("bias")), initializer_(initializer_of(options.string("initializer"))) {}

sluice_layer_traits Conv2dTranspose::traits() const { return make_traits({.colour = SLUICE_COLOUR_ALLOW}); }

void Conv2dTranspose::infer(std::span<const sluice_tensor_spec> inputs, const sdk::LayerSink& sink) const {
    expect_count("conv2d_transpose", inputs, 1, 1);
    expect_image("conv2d_transpose", inputs, 0);
    const TransposeGeometry g = transpose_geometry(options_, inputs[0]);
    const std::int64_t taps = g.height.kernel * g.width.kernel;
    add_kernel(sink, {g.filters, g.height.kernel, g.width.kernel, g.channels}, initializer_,
               {.in = taps * g.channels, .out = taps * g.filters});
    if (bias_) {
        add_vector(sink, "bias", sdk::make_spec(sdk::kFloat32, {g.filters}), SLUICE_INIT_ZEROS);
    }
    sink.output(sdk::make_spec(inputs[0].dtype, {g.batch, g.height.in, g.width.in, g.filters}));
    sink.flops(2.0 * static_cast<double>(sdk::element_count(inputs[0]) * taps * g.filters));
}

}  // namespace sluice::reference
