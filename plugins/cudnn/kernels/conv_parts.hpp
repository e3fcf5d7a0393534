// The parts of a chain of convolutions and normalisations (conv_chain.cpp), and the share of a launch that each part
// has.
#pragma once

#include "conv/convolution.hpp"
#include "kernels/conv_stages.hpp"
#include "kernels/norm_stage.hpp"

namespace sluice::cudnn {

// The indices in a launch at which a part's parameters, states and saved blocks begin.
struct PartPlace {
    std::size_t parameters = 0;
    std::size_t states = 0;
    std::size_t saved = 0;

    // Returns the launch as the part sees it. Its workspace begins at offset `workspace`.
    [[nodiscard]] sluice_launch of(sluice_launch launch, std::uint64_t workspace) const;
};

class ConvPart {
public:
    // next: the place of this part; the constructor advances it to that of the next part.
    ConvPart(const PlanContext& context, const ConvStage& stage, PartPlace& next);

    [[nodiscard]] const Convolution& convolution() const { return *convolution_; }
    [[nodiscard]] const PartPlace& place() const { return place_; }
    // True if the gradient of the convolution's input is needed.
    [[nodiscard]] bool wants_gradient() const { return wants_gradient_; }
    // The bias that the convolution skips, and its gradient. NULL: there is none, or its gradient is not needed.
    // launch: the kernel's.
    [[nodiscard]] const float* skipped_bias(const sluice_launch& launch) const {
        return skips_bias_ ? sdk::parameter(launch, place_.parameters + 1) : nullptr;
    }
    [[nodiscard]] float* skipped_bias_gradient(const sluice_launch& launch) const {
        return skips_bias_ ? sdk::parameter_gradient(launch, place_.parameters + 1) : nullptr;
    }

private:
    PartPlace place_;
    ConvolutionPtr convolution_;
    bool skips_bias_;
    bool wants_gradient_;
};

template <class T>
class NormPart {
public:
    // outside: the index of the kernel's first input that may be added.
    NormPart(const PlanContext& context, const ConvStage& stage, std::uint32_t outside, PartPlace& next)
        : NormPart(context, context.chain[*stage.norm], *read_masks(context.chain, *stage.norm + 1, stage.end, outside),
                   next) {}

    [[nodiscard]] const NormStage<T>& norm() const { return norm_; }
    [[nodiscard]] const PartPlace& place() const { return place_; }
    [[nodiscard]] std::uint64_t workspace() const { return layout_.size(); }
    [[nodiscard]] bool joins() const { return joins_; }
    // True if the gradient of its input is needed.
    [[nodiscard]] bool wants_gradient() const { return wants_gradient_; }
    // True if that gradient is added to the existing values.
    [[nodiscard]] bool adds_gradient() const { return adds_gradient_; }

private:
    NormPart(const PlanContext& context, const sdk::Node& node, const MaskLayers& layers, PartPlace& next)
        : place_(next),
          norm_(node, layers, layout_, context.sink),
          joins_(layers.joins()),
          wants_gradient_(node.wants_gradient(0)),
          adds_gradient_(node.accumulates_gradient(0)) {
        next.parameters += node.parameters().size();
        next.states += node.get().state_count;
        next.saved += norm_.saved_blocks();
    }

    PartPlace place_;
    Layout layout_;
    NormStage<T> norm_;
    bool joins_;
    bool wants_gradient_;
    bool adds_gradient_;
};

}  // namespace sluice::cudnn
