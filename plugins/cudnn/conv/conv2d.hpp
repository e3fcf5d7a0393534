// The three directions of the layer conv2d, which read a source (conv/geometry.hpp). A convolution to very few channels
// runs in blocks of pixels (conv/blocks.hpp) or pixel by pixel. Each direction takes the way that measured faster.
//
// These passes run in addition to cuDNN's:
//   - one over the kernels, if they are made for blocks or for more channels
//   - with blocks, one over the output and one over its gradient
//   - with a bias, one more over that gradient
//   - if the source is not the input itself, one that copies the input (backward reads the copy) and one that folds the
//     gradient of the copy
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
    // How one direction is computed.
    struct Form {
        std::unique_ptr<ConvPass> pass;  // NULL: the direction is not needed
        BlockShape shape;
        std::uint64_t kernels = 0;  // offset in the workspace of the kernels made for it, or of their gradient

        [[nodiscard]] bool has_blocks() const { return shape.edge > 1; }
    };

    [[nodiscard]] ConvProblem problem_of(Direction direction, const BlockShape& shape) const;
    [[nodiscard]] Form find_fastest(Direction direction);
    void take_form(const Form& form, Direction direction);
    void place();
    void state_input();
    // True if this layer copies its input to make the source.
    [[nodiscard]] bool copies() const { return geometry_.copies() && !has_source_; }
    [[nodiscard]] const void* source_of(const sluice_launch& launch, const void* x) const;
    // True if the direction reads kernels that are made from the layer's, for blocks or for added channels.
    [[nodiscard]] bool makes_kernels(const Form& form) const { return form.has_blocks() || geometry_.adds_channels(); }
    [[nodiscard]] std::uint64_t reserve_kernels(const Form& form);
    [[nodiscard]] const void* weights_for(const Form& form, const sluice_launch& launch) const;
    // Returns dy, converted to blocks if the form has them.
    [[nodiscard]] const void* gradient_for(const Form& form, const sluice_launch& launch, const void* dy) const;
    void convolve(const sluice_launch& launch, const void* source, void* y, float* sums) const;
    // Adds to source_gradient (NULL: not needed) if the source is the input and the input's gradient accumulates.
    void differentiate(const sluice_launch& launch, const void* source, const void* dy, void* source_gradient) const;
    void write_kernels_gradient(const sluice_launch& launch, const void* source, const void* dy) const;

    ConvGeometry geometry_;
    bool wants_source_gradient_;
    bool has_source_;
    bool wants_sums_ = false;
    Form forward_;
    Form data_;
    Form kernels_;
    std::uint64_t blocks_ = 0;  // offset in the workspace of the output or its gradient, as blocks
    std::uint64_t source_ = 0;  // offset in the workspace of the copy (outside training) or of its gradient
};

}  // namespace sluice::cudnn
