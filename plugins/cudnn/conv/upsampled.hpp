// The chain upsample by 2, conv2d of 3x3 taps. Each direction is computed in phases (conv/phases.hpp) or on an enlarged
// image (ConvProblem::upsampled), as it was measured to be faster; in phases if nothing was measured.
//
// The kernels become phases in each launch, from float32: they are rounded once. Outside training batch_norm and relu
// behind are folded in.
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
    // Of the chain's direction. In phases the convolution runs the other way.
    [[nodiscard]] ConvProblem problem_of(Direction direction, bool upsampled) const;
    [[nodiscard]] std::unique_ptr<ConvPass> find_fastest(Direction direction);
    std::unique_ptr<ConvPass> take_fastest(Direction direction);
    void place();
    [[nodiscard]] const void* phases(const sluice_launch& launch) const;
    void write_kernels_gradient(const sluice_launch& launch, const void* x, const void* dy) const;

    ConvProblem enlarged_;  // extents of the convolution from the enlarged image to the output
    ConvProblem phased_;    // and of that from the output to the input
    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;     // NULL: not wanted
    std::unique_ptr<ConvPass> kernels_;  // NULL: not wanted
    std::uint64_t phases_ = 0;
    std::uint64_t gradient_ = 0;  // of the phases
};

}  // namespace sluice::cudnn
