// Outside training: conv2d and the batch_norm after it as one convolution, optionally with an upsample by 2 before it
// and a relu after it. batch_norm then multiplies and shifts each channel by numbers that change only with the
// parameters, so they are folded into kernels and bias.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "kernels/conv2d_ways.hpp"
#include "kernels/conv_kernel.hpp"
#include "kernels/kernels.hpp"
#include "library/workspace.hpp"

namespace sluice::onednn {
namespace {

// Returns the index of the convolution in the chain.
std::size_t convolution_of(const sdk::Chain& chain) { return chain[0].type() == "upsample" ? 1 : 0; }

class FoldedConv2d : public sdk::Kernel {
public:
    explicit FoldedConv2d(const PlanContext& context)
        : FoldedConv2d(context, convolution_of(context.chain),
                       ConvGeometry(context.chain[convolution_of(context.chain)])) {}

    void forward(const sluice_launch& launch) override {
        float* const kernels = kept_.empty() ? at(launch, kernels_) : kept_.data();
        const Source source{launch.parameters[0], kernels, launch.parameters_version};
        if (source != source_) {
            fold(launch, kernels);
        }
        const void* parameters[] = {kernels, folded_bias_.data()};
        sluice_launch folded = launch;
        folded.parameters = parameters;
        convolution_->run(folded);
        source_ = source;
    }

    // Nothing asks for gradients outside training.
    void backward(const sluice_launch& /*launch*/) override {}

private:
    // Identifies the parameters from which the folded kernels were computed, and the place of these kernels.
    struct Source {
        const void* parameters = nullptr;
        const float* folded = nullptr;
        std::uint32_t version = 0;
        bool operator==(const Source&) const = default;
    };

    FoldedConv2d(const PlanContext& context, std::size_t convolution, ConvGeometry geometry)
        : has_bias_(geometry.bias),
          epsilon_(context.chain[convolution + 1].options().number("epsilon")),
          taps_(geometry.kernel * geometry.kernel * geometry.channels / geometry.groups),
          folded_bias_(static_cast<std::size_t>(geometry.filters)) {
        geometry.bias = true;
        geometry.output = data_type_of(context.chain[context.chain.size() - 1].outputs()[0].dtype);
        geometry.relu = context.chain.size() > convolution + 2;
        convolution_ =
            convolution == 1 ? choose_upsampled_forward(context, geometry) : choose_forward(context, geometry);
        place_kernels();
        context.sink.workspace(layout_.size());
        context.sink.note(describe("fwd", *convolution_, geometry.input) + ", batch_norm folded in");
        context.sink.arithmetic(convolution_->flops(), 0.0);
        if (is_widened(*convolution_, geometry.input)) {
            context.sink.computes_in(sdk::kFloat32);
        }
    }

    // The folded kernels lie in the workspace, which all launches share, if the convolution keeps a packed copy of
    // them. Else they are kept here.
    void place_kernels() {
        const std::size_t count = folded_bias_.size() * static_cast<std::size_t>(taps_);
        layout_.take(convolution_->workspace());
        if (convolution_->keeps_packed_weights()) {
            kernels_ = layout_.take(count * sizeof(float));
        } else {
            kept_.resize(count);
        }
    }

    // Folds y = factor * (x - mean) + beta into x = kernel * image + bias.
    void fold(const sluice_launch& launch, float* kernels) {
        const float* from = sdk::parameter(launch, 0);
        const float* bias = has_bias_ ? sdk::parameter(launch, 1) : nullptr;
        const float* gamma = sdk::parameter(launch, has_bias_ ? 2 : 1);
        const float* beta = sdk::parameter(launch, has_bias_ ? 3 : 2);
        const float* mean = sdk::state(launch, 0);
        const float* variance = sdk::state(launch, 1);
        for (std::size_t o = 0; o < folded_bias_.size(); ++o) {
            const double factor = gamma[o] / std::sqrt(variance[o] + epsilon_);
            const double shifted = (bias == nullptr ? 0.0 : bias[o]) - mean[o];
            folded_bias_[o] = static_cast<float>(beta[o] + factor * shifted);
            for (std::int64_t tap = 0; tap < taps_; ++tap) {
                *kernels++ = static_cast<float>(factor * *from++);
            }
        }
    }

    bool has_bias_;
    double epsilon_;
    std::int64_t taps_;  // of one filter
    std::vector<float> folded_bias_;
    PassPtr convolution_;
    Layout layout_;              // the convolution's workspace, and the folded kernels after it
    std::uint64_t kernels_ = 0;  // offset of the folded kernels, if they are not kept
    std::vector<float> kept_;
    Source source_;
};

}  // namespace

bool is_folded_conv2d(const sdk::Chain& chain) {
    const std::size_t convolution = convolution_of(chain);
    const std::size_t folded_nodes = chain.size() - convolution;
    return (folded_nodes == 2 || folded_nodes == 3) && chain[convolution].type() == "conv2d" &&
           chain[convolution + 1].type() == "batch_norm" &&
           (folded_nodes == 2 || chain[convolution + 2].type() == "relu");
}

std::optional<std::string> refuses_folded_conv2d(const sdk::Chain& chain, bool winograd) {
    if (chain[0].trains()) {
        return "computes conv2d and batch_norm together only outside training";
    }
    return convolution_of(chain) == 1 ? refuses_upsampled_conv2d(chain, winograd) : std::nullopt;
}

KernelPtr make_folded_conv2d(const PlanContext& context) { return std::make_unique<FoldedConv2d>(context); }

}  // namespace sluice::onednn
