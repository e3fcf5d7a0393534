// One direction of a 2-D convolution on dense NHWC tensors, as cuDNN is asked for it.
//
// x [N, H, W, C], kernels w [K, R, S, C / groups], y [N, OH, OW, K]. Directions compute y of x and w, x of y and w (the
// input's gradient, or a transposed convolution), w of x and y (the kernels' gradient). Sums are float32.
#pragma once

#include <cudnn.h>

#include <array>
#include <cstdint>
#include <string>

namespace sluice::cudnn {

enum class Direction { forward, backward_data, backward_weights };
// "fwd", "bwd_d" or "bwd_w"
[[nodiscard]] const char* name_of(Direction direction);

struct ConvProblem {
    Direction direction = Direction::forward;
    cudnnDataType_t image = CUDNN_DATA_FLOAT;    // element type of x and y
    cudnnDataType_t kernels = CUDNN_DATA_FLOAT;  // of w
    std::int64_t batch = 1;
    std::int64_t channels = 1;
    std::int64_t filters = 1;
    std::int64_t groups = 1;
    // Height and width, here and below.
    std::array<std::int64_t, 2> in = {1, 1};
    std::array<std::int64_t, 2> out = {1, 1};
    std::array<std::int64_t, 2> taps = {1, 1};
    std::array<std::int64_t, 2> stride = {1, 1};
    std::array<std::int64_t, 2> dilation = {1, 1};
    std::array<std::int64_t, 2> before = {0, 0};  // zeros around x
    std::array<std::int64_t, 2> after = {0, 0};
    bool bias = false;  // a number is added to each channel of the image that is computed, in registers
    bool relu = false;  // its negative numbers become 0
    bool sums = false;  // of each filter's numbers in y, and of their squares; not beside the two above
    bool add = false;   // what is computed is added to what is there
    // x is an image of half the height and width, each of whose pixels stands for 2x2. A pass of our own enlarges it,
    // or sums its gradient.
    bool upsampled = false;

    [[nodiscard]] bool has_epilogue() const { return bias || relu || sums; }
};

// "fwd bf16 bf16 n8 c256 k256 g1 in64x64 out64x64 taps3x3 stride1x1 dilation1x1 pad1x1+1x1 bias": all that the choice
// of an engine depends on.
[[nodiscard]] std::string describe(const ConvProblem& problem);

// Elements of its tensors; of x as the convolution reads it.
[[nodiscard]] std::int64_t x_count(const ConvProblem& problem);
[[nodiscard]] std::int64_t w_count(const ConvProblem& problem);
[[nodiscard]] std::int64_t y_count(const ConvProblem& problem);
// Of the convolution alone, products and sums.
[[nodiscard]] double flops(const ConvProblem& problem);

}  // namespace sluice::cudnn
