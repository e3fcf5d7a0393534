// The chain upsample by 2, conv2d of 3x3 taps: one convolution, see conv/phases.hpp. The kernels become phases in each
// launch, from float32: they are rounded once. Outside training batch_norm and relu behind are folded in.
#include "conv/conv_kernel.hpp"
#include "conv/phases.hpp"
#include "kernels/kernels.hpp"

namespace sluice::cudnn {
namespace {

class UpsampleConv2d : public ConvKernel {
public:
    explicit UpsampleConv2d(const PlanContext& context)
        : ConvKernel(context, 0, 1), extents_(phase_extents(context.chain[0], context.chain[1])) {
        const auto bytes = static_cast<std::uint64_t>(w_count(extents_)) * size_of(extents_.image);
        place_kernels({.filters = extents_.channels, .taps = 9, .channels = extents_.filters});
        phases_ = layout_.take(bytes);
        ConvProblem forward = directed(Direction::backward_data, false);
        forward.bias = has_bias();
        forward.relu = has_relu();
        forward_ = plan(forward);
        if (trains()) {
            context.sink.backward_reads_input(0);
            gradient_ = layout_.take(bytes);
            if (context.chain[0].wants_gradient(0)) {
                data_ = plan(directed(Direction::forward, adds_gradient()));
            }
            kernels_ = plan(directed(Direction::backward_weights, false));
        }
        place_bias_gradient(extents_.image, extents_.batch * extents_.in[0] * extents_.in[1], extents_.channels);
        state_needs();
    }

    void forward(const sluice_launch& launch) override {
        run(*forward_, launch,
            {.x = launch.outputs[0], .w = phases(launch), .y = launch.inputs[0], .bias = bias(launch)});
    }

    void backward(const sluice_launch& launch) override {
        const void* const dy = launch.output_gradients[0];
        if (launch.input_gradients[0] != nullptr) {
            run(*data_, launch, {.x = dy, .w = phases(launch), .y = launch.input_gradients[0]});
        }
        if (sdk::parameter_gradient(launch, 0) != nullptr) {
            void* const gradient = at(launch.workspace, gradient_);
            run(*kernels_, launch, {.x = dy, .w = gradient, .y = launch.inputs[0]});
            fold_phases(launch.stream, extents_.image, extents_, gradient, sdk::parameter_gradient(launch, 0),
                        launch.accumulate_parameters != 0);
        }
        write_bias_gradient(launch, dy);
    }

private:
    [[nodiscard]] ConvProblem directed(Direction direction, bool add) const {
        ConvProblem problem = extents_;
        problem.direction = direction;
        problem.add = add;
        return problem;
    }

    [[nodiscard]] const void* phases(const sluice_launch& launch) const {
        void* const made = at(launch.workspace, phases_);
        make_phases(launch.stream, extents_.image, extents_, kernels(launch), made);
        return made;
    }

    ConvProblem extents_;  // of the convolution from the output to the input
    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;
    std::unique_ptr<ConvPass> kernels_;
    std::uint64_t phases_ = 0;
    std::uint64_t gradient_ = 0;  // of the phases
};

}  // namespace

KernelPtr make_upsampled_conv2d(const PlanContext& context) { return std::make_unique<UpsampleConv2d>(context); }

}  // namespace sluice::cudnn
