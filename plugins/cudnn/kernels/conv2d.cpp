// conv2d by cuDNN. Passes over memory beside those of conv/conv2d_kernel.hpp: where the source is not the input itself,
// one copy of the input, kept for backward, and one that folds its gradient. Outside training batch_norm and relu
// behind it are folded in.
#include "conv/conv2d_kernel.hpp"
#include "kernels/kernels.hpp"

namespace sluice::cudnn {
namespace {

class Conv2d : public Conv2dKernel {
public:
    explicit Conv2d(const PlanContext& context) : Conv2dKernel(context) {
        const std::uint64_t bytes = geometry().source_bytes();
        if (geometry().copies() && (!trains() || has_source_gradient())) {
            source_ = layout_.take(bytes);  // of evaluation, or the gradient
        }
        if (trains() && geometry().copies()) {
            context.sink.saved(bytes);
        } else if (trains()) {
            context.sink.backward_reads_input(0);
        }
        state_needs();
    }

    void forward(const sluice_launch& launch) override {
        if (!geometry().copies()) {
            convolve(launch, launch.inputs[0], launch.outputs[0]);
            return;
        }
        void* const source = trains() ? launch.saved[0] : at(launch.workspace, source_);
        add_margins(launch.stream, geometry().extents.image, geometry().margins, launch.inputs[0], source);
        convolve(launch, source, launch.outputs[0]);
    }

    void backward(const sluice_launch& launch) override {
        const void* const dy = launch.output_gradients[0];
        void* const dx = launch.input_gradients[0];
        if (!geometry().copies()) {
            differentiate(launch, launch.inputs[0], dy, dx);
            return;
        }
        void* const source_gradient = dx == nullptr ? nullptr : at(launch.workspace, source_);
        differentiate(launch, launch.saved[0], dy, source_gradient);
        if (dx != nullptr) {
            fold_margins(launch.stream, geometry().extents.image, geometry().margins, source_gradient, dx,
                         adds_gradient());
        }
    }

private:
    std::uint64_t source_ = 0;  // in the workspace
};

}  // namespace

KernelPtr make_conv2d(const PlanContext& context) { return std::make_unique<Conv2d>(context); }

}  // namespace sluice::cudnn
