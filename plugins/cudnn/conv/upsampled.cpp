#include "conv/upsampled.hpp"

#include <utility>

namespace sluice::cudnn {
namespace {

Direction reversed(Direction direction) {
    return direction == Direction::forward         ? Direction::backward_data
           : direction == Direction::backward_data ? Direction::forward
                                                   : Direction::backward_weights;
}

bool is_phased(const std::unique_ptr<ConvPass>& pass) { return pass != nullptr && !pass->problem().upsampled; }
bool is_enlarged(const std::unique_ptr<ConvPass>& pass) { return pass != nullptr && pass->problem().upsampled; }

}  // namespace

UpsampledConv2d::UpsampledConv2d(const PlanContext& context, const ConvUse& use)
    : Convolution(context, use),
      enlarged_(ConvGeometry(context.chain[use.node]).extents),
      phased_(phase_extents(context.chain[use.input], context.chain[use.node])) {
    forward_ = take_fastest(Direction::forward);
    if (trains()) {
        backward_reads_input();
        if (context.chain[use.input].wants_gradient(0)) {
            data_ = take_fastest(Direction::backward_data);
        }
        kernels_ = take_fastest(Direction::backward_weights);
    }
    place();
}

ConvProblem UpsampledConv2d::problem_of(Direction direction, bool upsampled) const {
    ConvProblem problem = upsampled ? enlarged_ : phased_;
    problem.upsampled = upsampled;
    problem.direction = upsampled ? direction : reversed(direction);
    problem.add = direction == Direction::backward_data && adds_gradient();
    problem.bias = direction == Direction::forward && has_bias();
    problem.relu = direction == Direction::forward && has_relu();
    return problem;
}

// The times omit the passes over the kernels, which are small compared with the images that these layers read.
std::unique_ptr<ConvPass> UpsampledConv2d::find_fastest(Direction direction) {
    const UpsampledForm form = planner_options().upsampled;
    if (form == UpsampledForm::enlarged) {
        return find(problem_of(direction, true));
    }
    const bool timed = form == UpsampledForm::measured;
    auto phased = find_if_computed(problem_of(direction, false), timed);
    if (phased == nullptr) {
        return find(problem_of(direction, true));
    }
    auto enlarged = timed && phased->milliseconds() ? find_if_computed(problem_of(direction, true), timed) : nullptr;
    return enlarged != nullptr && is_faster(*enlarged, *phased) ? std::move(enlarged) : std::move(phased);
}

std::unique_ptr<ConvPass> UpsampledConv2d::take_fastest(Direction direction) {
    auto pass = find_fastest(direction);
    take(*pass, direction);
    if (is_enlarged(pass)) {
        add_note("image enlarged");
    }
    return pass;
}

void UpsampledConv2d::place() {
    const WeightShape kernels{.filters = phased_.channels, .taps = 9, .channels = phased_.filters};
    if (is_enlarged(forward_) || is_enlarged(data_) || is_enlarged(kernels_)) {
        place_weights(phased_.image, kernels, false);
    } else {
        place_kernels(kernels);
    }
    const auto bytes = static_cast<std::uint64_t>(w_count(phased_)) * size_of(phased_.image);
    if (is_phased(forward_) || is_phased(data_)) {
        phases_ = layout_.take(bytes);
    }
    if (is_phased(kernels_)) {
        gradient_ = layout_.take(bytes);
    }
    place_bias_gradient(phased_.image, phased_.batch * phased_.in[0] * phased_.in[1], phased_.channels);
    place_scratch();
}

void UpsampledConv2d::forward(const sluice_launch& launch, const void* x, void* y, float* /*sums*/) const {
    if (is_phased(forward_)) {
        run(*forward_, launch, {.x = y, .w = phases(launch), .y = x, .bias = bias(launch)});
    } else {
        run(*forward_, launch, {.x = x, .w = weights(launch), .y = y, .bias = bias(launch)});
    }
}

void UpsampledConv2d::backward(const sluice_launch& launch, const void* x, const void* dy, void* dx) const {
    if (dx != nullptr && is_phased(data_)) {
        run(*data_, launch, {.x = dy, .w = phases(launch), .y = dx});
    } else if (dx != nullptr) {
        run(*data_, launch, {.x = dx, .w = weights(launch), .y = dy});
    }
    if (sdk::parameter_gradient(launch, 0) != nullptr) {
        write_kernels_gradient(launch, x, dy);
    }
    write_bias_gradient(launch, dy);
}

void UpsampledConv2d::write_kernels_gradient(const sluice_launch& launch, const void* x, const void* dy) const {
    if (is_phased(kernels_)) {
        void* const gradient = at(launch.workspace, gradient_);
        run(*kernels_, launch, {.x = dy, .w = gradient, .y = x});
        fold_phases(launch.stream, phased_.image, phased_, gradient, sdk::parameter_gradient(launch, 0),
                    launch.accumulate_parameters != 0);
    } else {
        run(*kernels_, launch, {.x = x, .w = gradient_target(launch), .y = dy});
        finish_gradient(launch);
    }
}

const void* UpsampledConv2d::phases(const sluice_launch& launch) const {
    void* const made = at(launch.workspace, phases_);
    make_phases(launch.stream, phased_.image, phased_, kernels(launch), made);
    return made;
}

}  // namespace sluice::cudnn
