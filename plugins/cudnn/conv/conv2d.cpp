#include "conv/conv2d.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "images/mirrored_margins.hpp"

namespace sluice::cudnn {

Conv2d::Conv2d(const PlanContext& context, const ConvUse& use)
    : Convolution(context, use),
      geometry_(context.chain[use.node]),
      wants_source_gradient_(context.chain[use.node].wants_gradient(0)),
      has_source_(use.has_source) {
    geometry_.add_channels();
    wants_sums_ = use.before_norm && may_have_sums(geometry_.extents);
    forward_ = find_fastest(Direction::forward);
    take_form(forward_, Direction::forward);
    if (trains() && wants_source_gradient_) {
        data_ = find_fastest(Direction::backward_data);
        take_form(data_, Direction::backward_data);
    }
    if (trains()) {
        kernels_ = find_fastest(Direction::backward_weights);
        take_form(kernels_, Direction::backward_weights);
    }
    place();
    state_input();
}

ConvProblem Conv2d::problem_of(Direction direction, const BlockShape& shape) const {
    ConvProblem problem = block_extents(geometry_.extents, shape);
    problem.direction = direction;
    problem.add = direction == Direction::backward_data && adds_gradient() && !geometry_.copies();
    if (direction == Direction::forward && shape.edge == 1) {
        problem.bias = has_bias();
        problem.relu = has_relu();
        problem.sums = wants_sums_;
    }
    return problem;
}

// If nothing was measured, returns the first form that cuDNN computes. The times omit our passes over the output, which
// has far fewer channels than the convolution reads.
Conv2d::Form Conv2d::find_fastest(Direction direction) {
    const FewFilters way = planner_options().few_filters;
    Form best;
    const std::vector<std::int64_t> edges =
        way == FewFilters::pixels ? std::vector<std::int64_t>{} : block_edges(geometry_.extents);
    const bool timed = way == FewFilters::measured && !edges.empty();
    for (const std::int64_t edge : edges) {
        const BlockShape shape = block_shape(geometry_, edge);
        auto pass = find_if_computed(problem_of(direction, shape), timed);
        if (pass != nullptr && (best.pass == nullptr || is_faster(*pass, *best.pass))) {
            best = {.pass = std::move(pass), .shape = shape};
        }
        if (best.pass != nullptr && (way == FewFilters::blocks || !best.pass->milliseconds())) {
            return best;
        }
    }
    const BlockShape pixels = block_shape(geometry_, 1);
    auto pass = find(problem_of(direction, pixels), timed);
    return best.pass != nullptr && is_faster(*best.pass, *pass) ? std::move(best)
                                                                : Form{.pass = std::move(pass), .shape = pixels};
}

void Conv2d::take_form(const Form& form, Direction direction) {
    take(*form.pass, direction);
    if (form.has_blocks()) {
        const std::string edge = std::to_string(form.shape.edge);
        add_note(edge + 'x' + edge + " pixels as channels");
    }
}

// Reserves workspace for the kernels that a direction makes, or for their gradient. Returns its offset; 0: it makes
// none.
std::uint64_t Conv2d::reserve_kernels(const Form& form) {
    if (form.pass == nullptr || !makes_kernels(form)) {
        return 0;
    }
    return layout_.take(static_cast<std::uint64_t>(w_count(form.pass->problem())) * size_of(geometry_.extents.image));
}

void Conv2d::place() {
    const ConvProblem& e = geometry_.extents;
    const WeightShape weights{
        .filters = e.filters, .taps = e.taps[0] * e.taps[1], .channels = geometry_.margins.channels / e.groups};
    const std::array<Form*, 3> forms{&forward_, &data_, &kernels_};
    const auto is_as_given = [&](const Form* form) { return form->pass != nullptr && !makes_kernels(*form); };
    if (std::ranges::any_of(forms, is_as_given)) {
        place_weights(e.image, weights, false);
    } else {
        place_kernels(weights);
    }
    for (Form* const form : forms) {
        form->kernels = reserve_kernels(*form);
    }
    if (std::ranges::any_of(forms, [](const Form* form) { return form->has_blocks(); })) {
        blocks_ = layout_.take(static_cast<std::uint64_t>(y_count(e)) * size_of(e.image));
    }
    if (copies() && (!trains() || data_.pass != nullptr)) {
        source_ = layout_.take(geometry_.source_bytes());
    }
    place_bias_gradient(e.image, e.batch * e.out[0] * e.out[1], e.filters);
    place_scratch();
}

void Conv2d::state_input() {
    if (!trains() || has_source_) {
        return;
    }
    if (copies()) {
        save(geometry_.source_bytes());
    } else {
        backward_reads_input();
    }
}

// In training the copy is a saved block, because backward reads it.
const void* Conv2d::source_of(const sluice_launch& launch, const void* x) const {
    return !copies() ? x : trains() ? launch.saved[0] : at(launch.workspace, source_);
}

void Conv2d::forward(const sluice_launch& launch, const void* x, void* y, float* sums) const {
    const void* const source = source_of(launch, x);
    if (copies()) {
        add_margins(launch.stream, geometry_.extents.image, geometry_.margins, x, const_cast<void*>(source));
    }
    convolve(launch, source, y, sums);
}

void Conv2d::backward(const sluice_launch& launch, const void* x, const void* dy, void* dx) const {
    const bool folds = copies() && dx != nullptr;
    void* const source_gradient = folds ? at(launch.workspace, source_) : dx;
    differentiate(launch, source_of(launch, x), dy, source_gradient);
    if (folds) {
        fold_margins(launch.stream, geometry_.extents.image, geometry_.margins, source_gradient, dx, adds_gradient());
    }
}

const void* Conv2d::weights_for(const Form& form, const sluice_launch& launch) const {
    if (!makes_kernels(form)) {
        return weights(launch);
    }
    void* const made = at(launch.workspace, form.kernels);
    make_block_kernels(launch.stream, geometry_.extents.image, form.shape, kernels(launch), made);
    return made;
}

const void* Conv2d::gradient_for(const Form& form, const sluice_launch& launch, const void* dy) const {
    if (!form.has_blocks()) {
        return dy;
    }
    void* const blocks = at(launch.workspace, blocks_);
    image_to_blocks(launch.stream, geometry_.extents.image, form.shape, dy, blocks);
    return blocks;
}

void Conv2d::convolve(const sluice_launch& launch, const void* source, void* y, float* sums) const {
    const void* const w = weights_for(forward_, launch);
    if (!forward_.has_blocks()) {
        run(*forward_.pass, launch, {.x = source, .w = w, .y = y, .bias = bias(launch), .sums = sums});
        return;
    }
    void* const blocks = at(launch.workspace, blocks_);
    run(*forward_.pass, launch, {.x = source, .w = w, .y = blocks});
    blocks_to_image(launch.stream, geometry_.extents.image, forward_.shape, blocks, y, bias(launch), has_relu());
}

void Conv2d::differentiate(const sluice_launch& launch, const void* source, const void* dy,
                           void* source_gradient) const {
    const void* gradient = nullptr;
    if (source_gradient != nullptr) {
        gradient = gradient_for(data_, launch, dy);
        run(*data_.pass, launch, {.x = source_gradient, .w = weights_for(data_, launch), .y = gradient});
    }
    if (sdk::parameter_gradient(launch, 0) != nullptr) {
        const bool is_there = gradient != nullptr && data_.shape.edge == kernels_.shape.edge;
        write_kernels_gradient(launch, source, is_there ? gradient : gradient_for(kernels_, launch, dy));
    }
    write_bias_gradient(launch, dy);
}

void Conv2d::write_kernels_gradient(const sluice_launch& launch, const void* source, const void* dy) const {
    if (!makes_kernels(kernels_)) {
        run(*kernels_.pass, launch, {.x = source, .w = gradient_target(launch), .y = dy});
        finish_gradient(launch);
        return;
    }
    void* const made = at(launch.workspace, kernels_.kernels);
    run(*kernels_.pass, launch, {.x = source, .w = made, .y = dy});
    fold_block_kernels(launch.stream, geometry_.extents.image, kernels_.shape, made, sdk::parameter_gradient(launch, 0),
                       launch.accumulate_parameters != 0);
}

}  // namespace sluice::cudnn
