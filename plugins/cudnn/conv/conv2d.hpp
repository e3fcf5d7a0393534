// conv2d: its three directions, from the source that cuDNN reads (conv/geometry.hpp). Convolutions to very few channels
// are computed in blocks of pixels (conv/blocks.hpp) or pixel by pixel, as it was measured.
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
    [[nodiscard]] bool writes_sums() const override { return passes_.forward->writes_sums(); }

private:
    struct Passes {
        std::int64_t edge = 1;  // of blocks
        std::unique_ptr<ConvPass> forward;
        std::unique_ptr<ConvPass> data;
        std::unique_ptr<ConvPass> kernels;
        // Of all, where all were measured.
        [[nodiscard]] std::optional<float> milliseconds() const;
        [[nodiscard]] bool is_faster_than(const Passes& other) const;
    };

    [[nodiscard]] Passes find_all(std::int64_t edge, bool timed);
    [[nodiscard]] Passes find_fastest();
    void place();
    void state_input();
    // Whether the source is a copy that is made here.
    [[nodiscard]] bool copies() const { return geometry_.copies() && !has_source_; }
    [[nodiscard]] const void* source_of(const sluice_launch& launch, const void* x) const;
    [[nodiscard]] bool has_blocks() const { return passes_.edge > 1; }
    // Whether other kernels are made of the layer's.
    [[nodiscard]] bool makes_kernels() const { return has_blocks() || geometry_.adds_channels(); }
    [[nodiscard]] const void* taken_weights(const sluice_launch& launch) const;
    void convolve(const sluice_launch& launch, const void* source, void* y, float* sums) const;
    // source_gradient: NULL: not wanted. Added to what is there where the gradient of the input is, and that is the
    // source.
    void differentiate(const sluice_launch& launch, const void* source, const void* dy, void* source_gradient) const;
    void write_kernels_gradient(const sluice_launch& launch, const void* source, const void* dy) const;

    ConvGeometry geometry_;
    bool wants_source_gradient_;
    bool has_source_;
    bool wants_sums_ = false;
    Passes passes_;
    BlockShape shape_;
    std::uint64_t made_ = 0;  // kernels, in the workspace, as are the following
    std::uint64_t made_gradient_ = 0;
    std::uint64_t blocks_ = 0;  // the output or its gradient
    std::uint64_t source_ = 0;  // the copy of evaluation, or its gradient
};

}  // namespace sluice::cudnn
