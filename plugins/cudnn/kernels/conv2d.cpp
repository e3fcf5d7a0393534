// conv2d by cuDNN. Passes over memory beside cuDNN's own: for padding "reflect" one copy of the input, kept for
// backward, and one that folds its gradient; for a bias one over the output's gradient. Outside training batch_norm and
// relu behind it are folded in.
#include "conv/conv_kernel.hpp"
#include "kernels/kernels.hpp"

namespace sluice::cudnn {
namespace {

class Conv2d : public ConvKernel {
public:
    explicit Conv2d(const PlanContext& context) : ConvKernel(context), geometry_(context.node()) {
        const sdk::Node node = context.node();
        const ConvProblem& e = geometry_.extents;
        const WeightShape shape{.filters = e.filters, .taps = e.taps[0] * e.taps[1], .channels = e.channels / e.groups};
        ConvProblem forward = geometry_.problem(Direction::forward);
        forward.bias = has_bias();
        forward.relu = has_relu();
        forward_ = plan(forward);
        place_weights(e.image, shape, false);
        if (trains()) {
            if (node.wants_gradient(0)) {
                ConvProblem problem = geometry_.problem(Direction::backward_data);
                problem.add = adds_gradient() && !geometry_.mirrors();
                data_ = plan(problem);
            }
            kernels_ = plan(geometry_.problem(Direction::backward_weights));
        }
        place_bias_gradient(e.image, e.batch * e.out[0] * e.out[1], e.filters);
        place_source(context.sink);
        state_needs();
    }

    void forward(const sluice_launch& launch) override {
        run(*forward_, launch,
            {.x = padded(launch), .w = weights(launch), .y = launch.outputs[0], .bias = bias(launch)});
    }

    void backward(const sluice_launch& launch) override {
        const void* const dy = launch.output_gradients[0];
        if (launch.input_gradients[0] != nullptr) {
            write_input_gradient(launch, dy);
        }
        if (sdk::parameter_gradient(launch, 0) != nullptr) {
            const void* const x = geometry_.mirrors() ? launch.saved[0] : launch.inputs[0];
            run(*kernels_, launch, {.x = x, .w = gradient_target(launch), .y = dy});
            finish_gradient(launch);
        }
        write_bias_gradient(launch, dy);
    }

private:
    void place_source(const sdk::KernelSink& sink) {
        if (geometry_.mirrors()) {
            source_ = layout_.take(geometry_.source_bytes());  // of evaluation, and the gradient
        }
        if (!trains()) {
            return;
        }
        if (geometry_.mirrors()) {
            sink.saved(geometry_.source_bytes());
        } else {
            sink.backward_reads_input(0);
        }
    }

    // The input as cuDNN reads it.
    [[nodiscard]] const void* padded(const sluice_launch& launch) const {
        if (!geometry_.mirrors()) {
            return launch.inputs[0];
        }
        void* const source = trains() ? launch.saved[0] : at(launch.workspace, source_);
        add_margins(launch.stream, geometry_.extents.image, geometry_.margins, launch.inputs[0], source);
        return source;
    }

    void write_input_gradient(const sluice_launch& launch, const void* dy) const {
        void* const dx = launch.input_gradients[0];
        void* const target = geometry_.mirrors() ? at(launch.workspace, source_) : dx;
        run(*data_, launch, {.x = target, .w = weights(launch), .y = dy});
        if (geometry_.mirrors()) {
            fold_margins(launch.stream, geometry_.extents.image, geometry_.margins, target, dx, adds_gradient());
        }
    }

    ConvGeometry geometry_;
    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;
    std::unique_ptr<ConvPass> kernels_;
    std::uint64_t source_ = 0;
};

}  // namespace

KernelPtr make_conv2d(const PlanContext& context) { return std::make_unique<Conv2d>(context); }

}  // namespace sluice::cudnn
