// The chain conv2d, batch_norm, cuts in training: cuDNN takes the sums of each filter's numbers while they are in
// registers, and the pass of the normalisation that reads them falls away. cuDNN 9.19 does so in float16 alone, for
// kernels of few taps without bias; where another way is measured to be faster, the pass is there as ever.
#include "conv/conv2d_kernel.hpp"
#include "kernels/norm_stage.hpp"

namespace sluice::cudnn {
namespace {

class Conv2dNorm : public Conv2dKernel {
public:
    explicit Conv2dNorm(const PlanContext& context)
        : Conv2dKernel(context, 0, true),
          layers_(*read_cuts(context.chain, kCuts)),
          stage_(context.chain[1], layers_, layout_, context.sink),
          parameters_(context.node().parameters().size()),
          sums_(layout_.take(2 * sizeof(float) * static_cast<std::size_t>(geometry().extents.filters))) {
        const std::uint64_t bytes = sizeof(Half) * static_cast<std::uint64_t>(y_count(geometry().extents));
        gradient_ = layout_.take(bytes);
        context.sink.saved(bytes);  // the convolution's output
        context.sink.backward_reads_input(0);
        // The gradient of the output is read for the last time before that of the input is written.
        layers_.share_memory(context.sink, x_count(geometry().extents) == y_count(geometry().extents));
        state_needs(std::to_string(context.chain.size()) + " layers, ");
    }

    void forward(const sluice_launch& launch) override {
        Half* const convolved = sdk::saved<Half>(launch, stage_.saved_blocks());
        float* const sums = writes_sums() ? static_cast<float*>(at(launch.workspace, sums_)) : nullptr;
        convolve(launch, launch.inputs[0], convolved, sums);
        stage_.forward(norm_of(launch), convolved, sdk::output<Half>(launch, 0), Dense(), sums);
    }

    void backward(const sluice_launch& launch) override {
        auto* const gradient = static_cast<Half*>(at(launch.workspace, gradient_));
        sluice_launch norm = norm_of(launch);
        norm.parameter_gradients += parameters_;
        stage_.backward(norm, sdk::saved<Half>(launch, stage_.saved_blocks()), sdk::output_gradient<Half>(launch, 0),
                        {.to = gradient, .adds = false});
        differentiate(launch, launch.inputs[0], gradient, launch.input_gradients[0]);
    }

    static constexpr std::uint32_t kCuts = 2;  // the first of them

private:
    // With the parameters of batch_norm in front.
    [[nodiscard]] sluice_launch norm_of(sluice_launch launch) const {
        launch.parameters += parameters_;
        return launch;
    }

    CutLayers layers_;
    NormStage<Half> stage_;
    std::size_t parameters_;  // of the convolution
    std::uint64_t sums_;      // in the workspace: [2, filters]
    std::uint64_t gradient_;  // and the gradient of the convolution's output
};

// What cuDNN 9.19 has a plan for, on GPUs of compute capability 8.0 and 9.0.
bool may_have_sums(const ConvGeometry& geometry) {
    constexpr std::int64_t kMostTaps = 32;
    const ConvProblem& e = geometry.extents;
    return e.image == CUDNN_DATA_HALF && e.groups == 1 && e.channels % kGroup == 0 && e.filters % kGroup == 0 &&
           e.before == e.after && e.taps[0] * e.taps[1] <= kMostTaps;
}

}  // namespace

// Behind a convolution with padding "reflect" there is likely another, for which batch_norm writes the margins
// (norm_conv2d.cpp): that saves four passes, and the sums one.
bool is_conv2d_norm(const sdk::Chain& chain) {
    if (chain.size() < Conv2dNorm::kCuts || chain[0].type() != "conv2d" || chain[1].type() != "batch_norm" ||
        !chain[0].trains() || chain[0].parameters().size() > 1 || !read_cuts(chain, Conv2dNorm::kCuts)) {
        return false;
    }
    const ConvGeometry geometry(chain[0]);
    return !geometry.mirrors() && may_have_sums(geometry);
}

KernelPtr make_conv2d_norm(const PlanContext& context) { return std::make_unique<Conv2dNorm>(context); }

}  // namespace sluice::cudnn
