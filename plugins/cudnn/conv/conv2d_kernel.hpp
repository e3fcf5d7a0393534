// What the kernels of conv2d share: its three directions, from the source that cuDNN reads (conv/geometry.hpp), which
// each prepares in its way. Convolutions to very few channels are computed in blocks of pixels (conv/blocks.hpp) or
// pixel by pixel, as it was measured.
//
// Passes beside cuDNN's own: over the kernels, where they are made for blocks or for more channels; for blocks one over
// the output and one over its gradient; for a bias one more over that gradient.
#pragma once

#include "conv/blocks.hpp"
#include "conv/conv_kernel.hpp"

namespace sluice::cudnn {

class Conv2dKernel : public ConvKernel {
protected:
    // convolution: the place of the conv2d in the chain. Launches begin with its parameters.
    // sums: those of ConvProblem are wanted.
    explicit Conv2dKernel(const PlanContext& context, std::size_t convolution = 0, bool sums = false);

    // sums: NULL where writes_sums() is false.
    void convolve(const sluice_launch& launch, const void* source, void* y, float* sums = nullptr) const;
    // Writes the gradients of the parameters and, to source_gradient, that of the source (NULL: not wanted). The latter
    // is added to what is there where the gradient of the input is, and that is the source.
    void differentiate(const sluice_launch& launch, const void* source, const void* dy, void* source_gradient) const;

    [[nodiscard]] bool has_source_gradient() const { return passes_.data != nullptr; }
    [[nodiscard]] bool writes_sums() const { return passes_.forward->writes_sums(); }
    [[nodiscard]] const ConvGeometry& geometry() const { return geometry_; }

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
    [[nodiscard]] bool has_blocks() const { return passes_.edge > 1; }
    // Whether other kernels are made of the layer's.
    [[nodiscard]] bool makes_kernels() const { return has_blocks() || geometry_.adds_channels(); }
    [[nodiscard]] const void* taken_weights(const sluice_launch& launch) const;
    void write_kernels_gradient(const sluice_launch& launch, const void* source, const void* dy) const;

    ConvGeometry geometry_;
    bool wants_source_gradient_;
    bool wants_sums_;
    Passes passes_;
    BlockShape shape_;
    std::uint64_t made_ = 0;  // kernels, in the workspace, as are the following
    std::uint64_t made_gradient_ = 0;
    std::uint64_t blocks_ = 0;  // the output or its gradient
};

}  // namespace sluice::cudnn
