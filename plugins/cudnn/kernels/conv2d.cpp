// conv2d by cuDNN. Passes over memory beside cuDNN's own: for padding "reflect" one copy of the input, kept for
// backward, and one that folds its gradient; for a bias one over the output's gradient. Outside training batch_norm and
// relu behind it are folded in.
#include "conv/conv2d_kernel.hpp"
#include "kernels/kernels.hpp"

namespace sluice::cudnn {
namespace {

class Conv2d : public Conv2dKernel {
public:
    explicit Conv2d(const PlanContext& context) : Conv2dKernel(context) {
        place_source(context.sink);
        state_needs();
    }

    void forward(const sluice_launch& launch) override { convolve(launch, padded(launch)); }

    void backward(const sluice_launch& launch) override {
        if (launch.input_gradients[0] != nullptr) {
            write_input_gradient(launch);
        }
        write_parameter_gradients(launch, geometry().mirrors() ? launch.saved[0] : launch.inputs[0]);
    }

private:
    void place_source(const sdk::KernelSink& sink) {
        if (geometry().mirrors()) {
            source_ = layout_.take(geometry().source_bytes());  // of evaluation, and the gradient
        }
        if (!trains()) {
            return;
        }
        if (geometry().mirrors()) {
            sink.saved(geometry().source_bytes());
        } else {
            sink.backward_reads_input(0);
        }
    }

    // The input as cuDNN reads it.
    [[nodiscard]] const void* padded(const sluice_launch& launch) const {
        if (!geometry().mirrors()) {
            return launch.inputs[0];
        }
        void* const source = trains() ? launch.saved[0] : at(launch.workspace, source_);
        add_margins(launch.stream, geometry().extents.image, geometry().margins, launch.inputs[0], source);
        return source;
    }

    void write_input_gradient(const sluice_launch& launch) const {
        void* const dx = launch.input_gradients[0];
        if (!geometry().mirrors()) {
            write_source_gradient(launch, dx);
            return;
        }
        void* const gradient = at(launch.workspace, source_);
        write_source_gradient(launch, gradient);
        fold_margins(launch.stream, geometry().extents.image, geometry().margins, gradient, dx, adds_gradient());
    }

    std::uint64_t source_ = 0;
};

}  // namespace

KernelPtr make_conv2d(const PlanContext& context) { return std::make_unique<Conv2d>(context); }

}  // namespace sluice::cudnn
