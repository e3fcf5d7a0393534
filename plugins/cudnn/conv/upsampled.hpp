// The chain upsample by 2, conv2d of 3x3 taps: one convolution, see conv/phases.hpp. The kernels become phases in each
// launch, from float32: they are rounded once. Outside training batch_norm and relu behind are folded in.
#pragma once

#include "conv/convolution.hpp"
#include "conv/phases.hpp"

namespace sluice::cudnn {

class UpsampledConv2d : public Convolution {
public:
    explicit UpsampledConv2d(const PlanContext& context, const ConvUse& use = {.input = 0, .node = 1});
    void forward(const sluice_launch& launch, const void* x, void* y, float* sums) const override;
    void backward(const sluice_launch& launch, const void* x, const void* dy, void* dx) const override;

private:
    [[nodiscard]] ConvProblem directed(Direction direction, bool add) const;
    [[nodiscard]] const void* phases(const sluice_launch& launch) const;

    ConvProblem extents_;  // of the convolution from the output to the input
    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;
    std::unique_ptr<ConvPass> kernels_;
    std::uint64_t phases_ = 0;
    std::uint64_t gradient_ = 0;  // of the phases
};

}  // namespace sluice::cudnn
