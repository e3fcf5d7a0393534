// conv2d_transpose by cuDNN: the direction towards the input of a convolution from the layer's output to its input. The
// kernels' channels are swapped for it, which is a pass over the kernels.
#include "conv/conv_kernel.hpp"
#include "kernels/kernels.hpp"

namespace sluice::cudnn {
namespace {

class Conv2dTranspose : public ConvKernel {
public:
    explicit Conv2dTranspose(const PlanContext& context) : ConvKernel(context) {
        const ConvProblem e = transposed_extents(context.node());
        const auto directed = [&](Direction direction) {
            ConvProblem problem = e;
            problem.direction = direction;
            return plan(problem);
        };
        ConvProblem forward = e;
        forward.direction = Direction::backward_data;
        forward.bias = has_bias();
        forward_ = plan(forward);
        place_weights(e.image, {.filters = e.channels, .taps = e.taps[0] * e.taps[1], .channels = e.filters}, true);
        if (trains()) {
            context.sink.backward_reads_input(0);
            if (context.node().wants_gradient(0)) {
                ConvProblem data = e;
                data.add = adds_gradient();
                data_ = plan(data);
            }
            kernels_ = directed(Direction::backward_weights);
        }
        place_bias_gradient(e.image, e.batch * e.in[0] * e.in[1], e.channels);
        state_needs();
    }

    void forward(const sluice_launch& launch) override {
        run(*forward_, launch,
            {.x = launch.outputs[0], .w = weights(launch), .y = launch.inputs[0], .bias = bias(launch)});
    }

    void backward(const sluice_launch& launch) override {
        const void* const dy = launch.output_gradients[0];
        if (launch.input_gradients[0] != nullptr) {
            run(*data_, launch, {.x = dy, .w = weights(launch), .y = launch.input_gradients[0]});
        }
        if (sdk::parameter_gradient(launch, 0) != nullptr) {
            run(*kernels_, launch, {.x = dy, .w = gradient_target(launch), .y = launch.inputs[0]});
            finish_gradient(launch);
        }
        write_bias_gradient(launch, dy);
    }

private:
    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;
    std::unique_ptr<ConvPass> kernels_;
};

}  // namespace

KernelPtr make_conv2d_transpose(const PlanContext& context) { return std::make_unique<Conv2dTranspose>(context); }

}  // namespace sluice::cudnn
