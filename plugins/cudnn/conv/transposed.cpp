#include "conv/transposed.hpp"

namespace sluice::cudnn {

TransposedConv2d::TransposedConv2d(const PlanContext& context, const ConvUse& use) : Convolution(context, use) {
    const sdk::Node node = context.chain[use.node];
    const ConvProblem e = transposed_extents(node);
    const auto directed = [&](Direction direction) {
        ConvProblem problem = e;
        problem.direction = direction;
        return problem;
    };
    ConvProblem forward = directed(Direction::backward_data);
    forward.bias = has_bias();
    forward_ = plan(forward);
    place_weights(e.image, {.filters = e.channels, .taps = e.taps[0] * e.taps[1], .channels = e.filters}, true);
    if (trains()) {
        backward_reads_input();
        if (node.wants_gradient(0)) {
            ConvProblem data = directed(Direction::forward);
            data.add = adds_gradient();
            data_ = plan(data);
        }
        kernels_ = plan(directed(Direction::backward_weights));
    }
    place_bias_gradient(e.image, e.batch * e.in[0] * e.in[1], e.channels);
    place_scratch();
}

void TransposedConv2d::forward(const sluice_launch& launch, const void* x, void* y, float* /*sums*/) const {
    run(*forward_, launch, {.x = y, .w = weights(launch), .y = x, .bias = bias(launch)});
}

void TransposedConv2d::backward(const sluice_launch& launch, const void* x, const void* dy, void* dx) const {
    if (dx != nullptr) {
        run(*data_, launch, {.x = dy, .w = weights(launch), .y = dx});
    }
    if (sdk::parameter_gradient(launch, 0) != nullptr) {
        run(*kernels_, launch, {.x = dy, .w = gradient_target(launch), .y = x});
        finish_gradient(launch);
    }
    write_bias_gradient(launch, dy);
}

}  // namespace sluice::cudnn
