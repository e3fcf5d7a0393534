#include "conv/conv2d.hpp"

#include <utility>

namespace sluice::cudnn {

std::optional<float> Conv2d::Passes::milliseconds() const {
    float sum = 0.0F;
    for (const ConvPass* pass : {forward.get(), data.get(), kernels.get()}) {
        if (pass != nullptr && !pass->milliseconds()) {
            return std::nullopt;
        }
        sum += pass != nullptr ? *pass->milliseconds() : 0.0F;
    }
    return sum;
}

bool Conv2d::Passes::is_faster_than(const Passes& other) const {
    const std::optional<float> ours = milliseconds();
    const std::optional<float> theirs = other.milliseconds();
    return ours && theirs && *ours < *theirs;
}

Conv2d::Conv2d(const PlanContext& context, const ConvUse& use)
    : Convolution(context, use),
      geometry_(context.chain[use.node]),
      wants_source_gradient_(context.chain[use.node].wants_gradient(0)),
      has_source_(use.has_source) {
    geometry_.add_channels();
    wants_sums_ = use.before_norm && may_have_sums(geometry_.extents);
    passes_ = find_fastest();
    if (has_blocks()) {
        add_note(std::to_string(passes_.edge) + 'x' + std::to_string(passes_.edge) + " pixels as channels");
    }
    take(*passes_.forward, Direction::forward);
    if (passes_.data != nullptr) {
        take(*passes_.data, Direction::backward_data);
    }
    if (passes_.kernels != nullptr) {
        take(*passes_.kernels, Direction::backward_weights);
    }
    place();
    state_input();
}

Conv2d::Passes Conv2d::find_all(std::int64_t edge, bool timed) {
    const ConvProblem extents = block_extents(geometry_.extents, block_shape(geometry_, edge));
    Passes passes;
    passes.edge = edge;
    ConvProblem problem = extents;
    problem.bias = edge == 1 && has_bias();
    problem.relu = edge == 1 && has_relu();
    problem.sums = edge == 1 && wants_sums_;
    passes.forward = find(problem, timed);
    if (!trains()) {
        return passes;
    }
    if (wants_source_gradient_) {
        problem = extents;
        problem.direction = Direction::backward_data;
        problem.add = adds_gradient() && !geometry_.copies();
        passes.data = find(problem, timed);
    }
    problem = extents;
    problem.direction = Direction::backward_weights;
    passes.kernels = find(problem, timed);
    return passes;
}

// Where nothing was measured, the first that cuDNN computes. The passes over the image are left out of the times: it
// has very few channels, beside those that a convolution reads.
Conv2d::Passes Conv2d::find_fastest() {
    const FewFilters way = few_filters();
    std::optional<Passes> best;
    const std::vector<std::int64_t> edges =
        way == FewFilters::pixels ? std::vector<std::int64_t>{} : block_edges(geometry_.extents);
    const bool timed = way == FewFilters::measured && !edges.empty();
    for (const std::int64_t edge : edges) {
        try {
            Passes passes = find_all(edge, timed);
            if (!best || passes.is_faster_than(*best)) {
                best = std::move(passes);
            }
        } catch (const sdk::Failure&) {
            continue;  // a convolution that this cuDNN does not compute
        }
        if (way == FewFilters::blocks || !best->milliseconds()) {
            return *std::move(best);
        }
    }
    Passes passes = find_all(1, timed);
    return best && best->is_faster_than(passes) ? *std::move(best) : std::move(passes);
}

void Conv2d::place() {
    const ConvProblem& e = geometry_.extents;
    shape_ = block_shape(geometry_, passes_.edge);
    const WeightShape weights{
        .filters = e.filters, .taps = e.taps[0] * e.taps[1], .channels = geometry_.margins.channels / e.groups};
    if (makes_kernels()) {
        const auto bytes = static_cast<std::uint64_t>(w_count(block_extents(e, shape_))) * size_of(e.image);
        place_kernels(weights);
        made_ = layout_.take(bytes);
        made_gradient_ = layout_.take(trains() ? bytes : 0);
    } else {
        place_weights(e.image, weights, false);
    }
    if (has_blocks()) {
        blocks_ = layout_.take(static_cast<std::uint64_t>(y_count(e)) * size_of(e.image));
    }
    if (copies() && (!trains() || passes_.data != nullptr)) {
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

// A copy is kept for backward in training.
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

const void* Conv2d::taken_weights(const sluice_launch& launch) const {
    if (!makes_kernels()) {
        return weights(launch);
    }
    void* const made = at(launch.workspace, made_);
    make_block_kernels(launch.stream, geometry_.extents.image, shape_, kernels(launch), made);
    return made;
}

void Conv2d::convolve(const sluice_launch& launch, const void* source, void* y, float* sums) const {
    const void* const w = taken_weights(launch);
    if (!has_blocks()) {
        run(*passes_.forward, launch, {.x = source, .w = w, .y = y, .bias = bias(launch), .sums = sums});
        return;
    }
    void* const blocks = at(launch.workspace, blocks_);
    run(*passes_.forward, launch, {.x = source, .w = w, .y = blocks});
    blocks_to_image(launch.stream, geometry_.extents.image, shape_, blocks, y, bias(launch), has_relu());
}

void Conv2d::differentiate(const sluice_launch& launch, const void* source, const void* dy,
                           void* source_gradient) const {
    const void* gradient = dy;
    if (has_blocks()) {
        void* const blocks = at(launch.workspace, blocks_);
        image_to_blocks(launch.stream, geometry_.extents.image, shape_, dy, blocks);
        gradient = blocks;
    }
    if (source_gradient != nullptr) {
        run(*passes_.data, launch, {.x = source_gradient, .w = taken_weights(launch), .y = gradient});
    }
    if (sdk::parameter_gradient(launch, 0) != nullptr) {
        write_kernels_gradient(launch, source, gradient);
    }
    write_bias_gradient(launch, dy);
}

void Conv2d::write_kernels_gradient(const sluice_launch& launch, const void* source, const void* dy) const {
    if (!makes_kernels()) {
        run(*passes_.kernels, launch, {.x = source, .w = gradient_target(launch), .y = dy});
        finish_gradient(launch);
        return;
    }
    void* const made = at(launch.workspace, made_gradient_);
    run(*passes_.kernels, launch, {.x = source, .w = made, .y = dy});
    fold_block_kernels(launch.stream, geometry_.extents.image, shape_, made, sdk::parameter_gradient(launch, 0),
                       launch.accumulate_parameters != 0);
}

}  // namespace sluice::cudnn
