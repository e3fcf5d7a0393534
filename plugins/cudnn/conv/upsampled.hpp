// The chain of upsample by 2 and conv2d of 3x3 taps. Each direction runs in phases (conv/phases.hpp) or on an enlarged
// image (ConvProblem::upsampled), whichever measured faster; in phases if nothing was measured.
//
// Each launch makes the phases from the float32 kernels, so that they are rounded once. Outside training, batch_norm
// and relu after the convolution are folded in.
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
    // direction: of the chain. In phases, the convolution runs in the reverse direction.
    [[nodiscard]] ConvProblem problem_of(Direction direction, bool upsampled) const;
    [[nodiscard]] std::unique_ptr<ConvPass> find_fastest(Direction direction);
    std::unique_ptr<ConvPass> take_fastest(Direction direction);
    void place();
    [[nodiscard]] const void* phases(const sluice_launch& launch) const;
    void write_kernels_gradient(const sluice_launch& launch, const void* x, const void* dy) const;

    ConvProblem enlarged_;  // extents of the convolution from the enlarged image to the output
    ConvProblem phased_;    // extents of the convolution from the output to the input
    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;     // NULL: not needed
    std::unique_ptr<ConvPass> kernels_;  // NULL: not needed
    std::uint64_t phases_ = 0;
    std::uint64_t gradient_ = 0;  // of the phases
};

}  // namespace sluice::cudnn
