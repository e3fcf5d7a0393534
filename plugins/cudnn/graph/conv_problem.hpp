// One direction of a 2-D convolution on dense NHWC tensors, in the form that cuDNN is asked for.
//
// x [N, H, W, C], kernels w [K, R, S, C / groups], y [N, OH, OW, K]. The directions compute y from x and w, x from y
// and w (the input's gradient, or a transposed convolution), or w from x and y (the kernels' gradient). Sums are in
// float32.
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
    // Height and width, in all arrays.
    std::array<std::int64_t, 2> in = {1, 1};
    std::array<std::int64_t, 2> out = {1, 1};
    std::array<std::int64_t, 2> taps = {1, 1};
    std::array<std::int64_t, 2> stride = {1, 1};
    std::array<std::int64_t, 2> dilation = {1, 1};
    std::array<std::int64_t, 2> before = {0, 0};  // zeros around x
    std::array<std::int64_t, 2> after = {0, 0};
    bool bias = false;  // a number is added to each channel of the computed image, in registers
    bool relu = false;  // negative numbers of the computed image become 0
    bool sums = false;  // each filter's numbers in y are summed, and their squares; excludes bias and relu
    bool add = false;   // the result is added to the existing values
    // x has half the height and width, and each of its pixels stands for 2x2. A pass of our own enlarges it, or sums
    // its gradient.
    bool upsampled = false;

    [[nodiscard]] bool has_epilogue() const { return bias || relu || sums; }
};

// "fwd bf16 bf16 n8 c256 k256 g1 in64x64 out64x64 taps3x3 stride1x1 dilation1x1 pad1x1+1x1 bias". The text has
// everything that the choice of an engine depends on.
[[nodiscard]] std::string describe(const ConvProblem& problem);

// The numbers of elements of the tensors; of x, as the convolution reads it.
[[nodiscard]] std::int64_t x_count(const ConvProblem& problem);
[[nodiscard]] std::int64_t w_count(const ConvProblem& problem);
[[nodiscard]] std::int64_t y_count(const ConvProblem& problem);
// The products and sums of the convolution alone.
[[nodiscard]] double flops(const ConvProblem& problem);

}  // namespace sluice::cudnn
