// Plans of convolutions whose result is an image with few channels, as at the end of a network.
#pragma once

#include "conv/axis_map.hpp"
#include "conv/geometry.hpp"

namespace sluice::onednn {

// An image [N, H, W, C] that is read, and the padding around it.
struct PaddedImage {
    DataType type;
    std::int64_t height;
    std::int64_t width;
    std::int64_t channels;
    AxisMap rows;
    AxisMap columns;
};

// to[y, x] = sum over ky, kx of from[y + ky, x + kx] times the kernel.
struct NarrowPlan {
    bool trains;  // the kernels are new in each launch
    std::int64_t batch;
    std::int64_t kernel;
    bool towards_input;  // for the input's gradient: rotates the kernel by 180 degrees and swaps its channel axes
    PaddedImage from;
    DataType type;        // of `to`
    std::int64_t height;  // likewise
    std::int64_t width;
    std::int64_t channels;

    // Returns where the kernels [O, k, k, C] hold the factor between a channel of `from` and one of `to`.
    [[nodiscard]] std::int64_t kernel_index(std::int64_t ky, std::int64_t kx, std::int64_t from_channel,
                                            std::int64_t to_channel) const {
        return towards_input
                   ? ((from_channel * kernel + kernel - 1 - ky) * kernel + kernel - 1 - kx) * channels + to_channel
                   : ((to_channel * kernel + ky) * kernel + kx) * from.channels + from_channel;
    }
};

// Returns the floating-point operations of the products. Rows outside of the image cost nothing.
double flops_of(const NarrowPlan& plan);

// Plans for the output of the convolution, and for the gradient of its input or of the input's mirrored copy.
NarrowPlan plan_narrow_forward(const ConvGeometry& geometry);
NarrowPlan plan_narrow_backward_data(const ConvGeometry& geometry);

// The columns of all images of a batch, in blocks of nearly the same width. One thread computes a block at a time.
class ColumnBlocks {
public:
    ColumnBlocks(std::int64_t batch, std::int64_t width, std::int64_t threads);

    struct Block {
        std::int64_t image;
        std::int64_t begin;
        std::int64_t end;
        [[nodiscard]] std::int64_t columns() const { return end - begin; }
    };
    [[nodiscard]] Block operator[](std::int64_t index) const {
        const std::int64_t block = index % each_;
        return {index / each_, block * width_ / each_, (block + 1) * width_ / each_};
    }
    [[nodiscard]] std::int64_t count() const { return batch_ * each_; }
    [[nodiscard]] std::int64_t most_columns() const { return (width_ + each_ - 1) / each_; }
    // The grain for parallel_for: it gives no more pieces than threads.
    [[nodiscard]] std::int64_t grain() const { return (count() + threads_ - 1) / threads_; }

private:
    std::int64_t batch_;
    std::int64_t width_;
    std::int64_t threads_;
    std::int64_t each_;  // blocks of an image
};

}  // namespace sluice::onednn
