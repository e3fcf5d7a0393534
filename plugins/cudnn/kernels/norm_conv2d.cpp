// The chain batch_norm, cuts, conv2d with padding "reflect": forward, the pass of the normalisation writes the mirrored
// image that cuDNN reads, and backward, its passes read the gradient of that image and fold it. The image without
// margins is never in memory, nor is its gradient: that are two passes less in each direction, of a reading and a
// writing each.
#include "conv/conv2d_kernel.hpp"
#include "kernels/node_kernel.hpp"
#include "kernels/norm_stage.hpp"

namespace sluice::cudnn {
namespace {

constexpr std::uint32_t kBehindCuts = 1;  // layers: the convolution

template <class T>
class NormConv2d : public Conv2dKernel {
public:
    NormConv2d(const sdk::Node& norm, const PlanContext& context)
        : Conv2dKernel(context, context.chain.size() - 1),
          layers_(*read_cuts(context.chain, 1, kBehindCuts)),
          stage_(norm, layers_, layout_, context.sink),
          image_(geometry().margins),
          norm_parameters_(norm.parameters().size()),
          source_(layout_.take(geometry().source_bytes())) {
        if (trains()) {
            context.sink.saved(geometry().source_bytes());
            context.sink.backward_reads_input(0);
        }
        // All of the input is read before the output is written, and all of its gradient before that of the input is.
        const sdk::Node last = context.chain[context.chain.size() - 1];
        if (sdk::element_count(norm.inputs()[0]) == sdk::element_count(last.outputs()[0])) {
            layers_.share_memory(context.sink);
        }
        state_needs(std::to_string(context.chain.size() - 1) + " layers into margins, ");
    }

    void forward(const sluice_launch& launch) override {
        T* const source = source_of(launch);
        stage_.forward(launch, sdk::input<T>(launch, 0), source, image_);
        convolve(convolution_of(launch), source, launch.outputs[0]);
    }

    void backward(const sluice_launch& launch) override {
        T* const gradient = has_source_gradient() ? static_cast<T*>(at(launch.workspace, source_)) : nullptr;
        differentiate(convolution_of(launch), source_of(launch), launch.output_gradients[0], gradient);
        if (gradient != nullptr) {
            stage_.backward(launch, sdk::input<T>(launch, 0), gradient,
                            {.to = sdk::input_gradient<T>(launch, 0), .adds = layers_.adds_first}, image_);
        }
    }

private:
    // Kept for backward in training.
    [[nodiscard]] T* source_of(const sluice_launch& launch) const {
        return trains() ? sdk::saved<T>(launch, stage_.saved_blocks()) : static_cast<T*>(at(launch.workspace, source_));
    }

    // With the convolution's parameters in front.
    [[nodiscard]] sluice_launch convolution_of(sluice_launch launch) const {
        launch.parameters += norm_parameters_;
        launch.rounded_parameters += launch.rounded_parameters != nullptr ? norm_parameters_ : 0;
        launch.parameter_gradients += launch.parameter_gradients != nullptr ? norm_parameters_ : 0;
        return launch;
    }

    CutLayers layers_;
    NormStage<T> stage_;
    Mirrored image_;
    std::size_t norm_parameters_;
    std::uint64_t source_;  // in the workspace: the mirrored image of evaluation, and its gradient
};

}  // namespace

bool is_norm_conv2d(const sdk::Chain& chain) {
    const sdk::Node last = chain[chain.size() - 1];
    if (chain.size() < 2 || chain[0].type() != "batch_norm" || last.type() != "conv2d" ||
        !read_cuts(chain, 1, kBehindCuts)) {
        return false;
    }
    const ConvGeometry geometry(last);
    constexpr std::int64_t kMostElements = std::int64_t{1} << 32;  // that 32 bits count
    return geometry.mirrors() && geometry.extents.channels % kGroup == 0 && x_count(geometry.extents) <= kMostElements;
}

KernelPtr make_norm_conv2d(const PlanContext& context) { return make_typed<NormConv2d>(context.node(), context); }

}  // namespace sluice::cudnn
