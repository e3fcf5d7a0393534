#include "conv/conv2d_kernel.hpp"

namespace sluice::cudnn {

Conv2dKernel::Conv2dKernel(const PlanContext& context, std::size_t convolution)
    : ConvKernel(context, convolution, convolution), geometry_(context.chain[convolution]) {
    const ConvProblem& e = geometry_.extents;
    const WeightShape shape{.filters = e.filters, .taps = e.taps[0] * e.taps[1], .channels = e.channels / e.groups};
    ConvProblem forward = geometry_.problem(Direction::forward);
    forward.bias = has_bias();
    forward.relu = has_relu();
    forward_ = plan(forward);
    place_weights(e.image, shape, false);
    if (trains()) {
        if (context.chain[convolution].wants_gradient(0)) {
            ConvProblem problem = geometry_.problem(Direction::backward_data);
            problem.add = adds_gradient() && !geometry_.mirrors();
            data_ = plan(problem);
        }
        kernels_ = plan(geometry_.problem(Direction::backward_weights));
    }
    place_bias_gradient(e.image, e.batch * e.out[0] * e.out[1], e.filters);
}

void Conv2dKernel::convolve(const sluice_launch& launch, const void* source) const {
    run(*forward_, launch, {.x = source, .w = weights(launch), .y = launch.outputs[0], .bias = bias(launch)});
}

void Conv2dKernel::write_source_gradient(const sluice_launch& launch, void* to) const {
    run(*data_, launch, {.x = to, .w = weights(launch), .y = launch.output_gradients[0]});
}

void Conv2dKernel::write_parameter_gradients(const sluice_launch& launch, const void* source) const {
    const void* const dy = launch.output_gradients[0];
    if (sdk::parameter_gradient(launch, 0) != nullptr) {
        run(*kernels_, launch, {.x = source, .w = gradient_target(launch), .y = dy});
        finish_gradient(launch);
    }
    write_bias_gradient(launch, dy);
}

}  // namespace sluice::cudnn
