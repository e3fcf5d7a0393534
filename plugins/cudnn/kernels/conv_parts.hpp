// The parts of a chain of convolutions and normalisations (conv_chain.cpp), and what each finds in a launch.
#pragma once

#include "conv/convolution.hpp"
#include "kernels/conv_stages.hpp"
#include "kernels/norm_stage.hpp"

namespace sluice::cudnn {

// Behind so many of each that other parts have.
struct PartPlace {
    std::size_t parameters = 0;
    std::size_t states = 0;
    std::size_t saved = 0;

    // The part's own launch; its workspace begins at `workspace`.
    [[nodiscard]] sluice_launch of(sluice_launch launch, std::uint64_t workspace) const;
};

class ConvPart {
public:
    // next: where the part finds what is its own, and then what follows it.
    ConvPart(const PlanContext& context, const ConvStage& stage, PartPlace& next);

    [[nodiscard]] const Convolution& convolution() const { return *convolution_; }
    [[nodiscard]] const PartPlace& place() const { return place_; }
    // Of what the convolution reads.
    [[nodiscard]] bool wants_gradient() const { return wants_gradient_; }
    // Of the bias that it leaves out; NULL where there is none, or its gradient is not wanted. Of the kernel's launch.
    [[nodiscard]] const float* left_out_bias(const sluice_launch& launch) const {
        return leaves_out_bias_ ? sdk::parameter(launch, place_.parameters + 1) : nullptr;
    }
    [[nodiscard]] float* left_out_gradient(const sluice_launch& launch) const {
        return leaves_out_bias_ ? sdk::parameter_gradient(launch, place_.parameters + 1) : nullptr;
    }

private:
    PartPlace place_;
    ConvolutionPtr convolution_;
    bool leaves_out_bias_;
    bool wants_gradient_;
};

template <class T>
class NormPart {
public:
    // outside: which input of the kernel is the first that may join.
    NormPart(const PlanContext& context, const ConvStage& stage, std::uint32_t outside, PartPlace& next)
        : NormPart(context, context.chain[*stage.norm], *read_cuts(context.chain, *stage.norm + 1, stage.end, outside),
                   next) {}

    [[nodiscard]] const NormStage<T>& norm() const { return norm_; }
    [[nodiscard]] const PartPlace& place() const { return place_; }
    [[nodiscard]] std::uint64_t workspace() const { return layout_.size(); }
    [[nodiscard]] bool joins() const { return joins_; }
    // Of what it reads.
    [[nodiscard]] bool wants_gradient() const { return wants_gradient_; }
    [[nodiscard]] bool adds_gradient() const { return adds_gradient_; }

private:
    NormPart(const PlanContext& context, const sdk::Node& node, const CutLayers& layers, PartPlace& next)
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
