// conv2d: its three directions, from the source that cuDNN reads (conv/geometry.hpp). Convolutions to very few channels
// are computed in blocks of pixels (conv/blocks.hpp) or pixel by pixel, each direction as it was measured to be faster.
//
// Passes beside cuDNN's own: over the kernels, where they are made for blocks or for more channels; for blocks one over
// the output and one over its gradient; for a bias one more over that gradient; where the source is not the input
// itself, one copy of the input, kept for backward, and one that folds its gradient.
#pragma once

#include <optional>

#include "conv/blocks.hpp"
#include "conv/convolution.hpp"

namespace sluice::cudnn {

class Conv2d : public Convolution {
public:
    explicit Conv2d(const PlanContext& context, const ConvUse& use = {});

    void forward(const sluice_launch& launch, const void* x, void* y, float* sums) const override;
    void backward(const sluice_launch& launch, const void* x, const void* dy, void* dx) const override;
    [[nodiscard]] bool writes_sums() const override { return forward_.pass->writes_sums(); }

private:
    // How a direction is computed.
    struct Form {
        std::unique_ptr<ConvPass> pass;  // NULL: the direction is not wanted
        BlockShape shape;
        std::uint64_t kernels = 0;  // those that are made for it, or their gradient, in the workspace

        [[nodiscard]] bool has_blocks() const { return shape.edge > 1; }
    };

    [[nodiscard]] ConvProblem problem_of(Direction direction, const BlockShape& shape) const;
    [[nodiscard]] Form find_fastest(Direction direction);
    void take_form(const Form& form, Direction direction);
    void place();
    void state_input();
    // Whether the source is a copy that is made here.
    [[nodiscard]] bool copies() const { return geometry_.copies() && !has_source_; }
    [[nodiscard]] const void* source_of(const sluice_launch& launch, const void* x) const;
    // Whether other kernels are made of the layer's.
    [[nodiscard]] bool makes_kernels(const Form& form) const { return form.has_blocks() || geometry_.adds_channels(); }
    [[nodiscard]] std::uint64_t place_made(const Form& form);
    [[nodiscard]] const void* weights_for(const Form& form, const sluice_launch& launch) const;
    // In the blocks of the form, if it has any.
    [[nodiscard]] const void* gradient_for(const Form& form, const sluice_launch& launch, const void* dy) const;
    void convolve(const sluice_launch& launch, const void* source, void* y, float* sums) const;
    // source_gradient: NULL: not wanted. Added to what is there where the gradient of the input is, and that is the
    // source.
    void differentiate(const sluice_launch& launch, const void* source, const void* dy, void* source_gradient) const;
    void write_kernels_gradient(const sluice_launch& launch, const void* source, const void* dy) const;

    ConvGeometry geometry_;
    bool wants_source_gradient_;
    bool has_source_;
    bool wants_sums_ = false;
    Form forward_;
    Form data_;
    Form kernels_;
    std::uint64_t blocks_ = 0;  // the output or its gradient, in the workspace
    std::uint64_t source_ = 0;  // the copy of evaluation, or its gradient
};

}  // namespace sluice::cudnn
