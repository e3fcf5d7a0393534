#include "conv/upsampled.hpp"

namespace sluice::cudnn {

UpsampledConv2d::UpsampledConv2d(const PlanContext& context, const ConvUse& use)
    : Convolution(context, use), extents_(phase_extents(context.chain[use.input], context.chain[use.node])) {
    const auto bytes = static_cast<std::uint64_t>(w_count(extents_)) * size_of(extents_.image);
    place_kernels({.filters = extents_.channels, .taps = 9, .channels = extents_.filters});
    phases_ = layout_.take(bytes);
    ConvProblem forward = directed(Direction::backward_data, false);
    forward.bias = has_bias();
    forward.relu = has_relu();
    forward_ = plan(forward);
    if (trains()) {
        backward_reads_input();
        gradient_ = layout_.take(bytes);
        if (context.chain[use.input].wants_gradient(0)) {
            data_ = plan(directed(Direction::forward, adds_gradient()));
        }
        kernels_ = plan(directed(Direction::backward_weights, false));
    }
    place_bias_gradient(extents_.image, extents_.batch * extents_.in[0] * extents_.in[1], extents_.channels);
    place_scratch();
}

void UpsampledConv2d::forward(const sluice_launch& launch, const void* x, void* y, float* /*sums*/) const {
    run(*forward_, launch, {.x = y, .w = phases(launch), .y = x, .bias = bias(launch)});
}

void UpsampledConv2d::backward(const sluice_launch& launch, const void* x, const void* dy, void* dx) const {
    if (dx != nullptr) {
        run(*data_, launch, {.x = dy, .w = phases(launch), .y = dx});
    }
    if (sdk::parameter_gradient(launch, 0) != nullptr) {
        void* const gradient = at(launch.workspace, gradient_);
        run(*kernels_, launch, {.x = dy, .w = gradient, .y = x});
        fold_phases(launch.stream, extents_.image, extents_, gradient, sdk::parameter_gradient(launch, 0),
                    launch.accumulate_parameters != 0);
    }
    write_bias_gradient(launch, dy);
}

ConvProblem UpsampledConv2d::directed(Direction direction, bool add) const {
    ConvProblem problem = extents_;
    problem.direction = direction;
    problem.add = add;
    return problem;
}

const void* UpsampledConv2d::phases(const sluice_launch& launch) const {
    void* const made = at(launch.workspace, phases_);
    make_phases(launch.stream, extents_.image, extents_, kernels(launch), made);
    return made;
}

}  // namespace sluice::cudnn
