// An operation graph in the form that is computed: one convolution, operations on the elements of its result, and sums
// of these.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "descriptor.hpp"

namespace emulated::dnn {

using Dims = std::array<std::int64_t, 4>;  // batch, channels, height, width; of weights: filters first
using Pair = std::array<std::int64_t, 2>;  // height, width

struct Tensor {
    std::int64_t id;
    cudnnDataType_t type;
    Dims dims;
    Dims strides;
    std::int64_t alignment;
    bool is_virtual;

    [[nodiscard]] std::int64_t count() const { return dims[0] * dims[1] * dims[2] * dims[3]; }
    // Returns the bytes from the first element to the end of the last.
    [[nodiscard]] std::size_t bytes() const;
};

enum class Direction { forward, backward_data, backward_filter };

struct Convolution {
    Direction direction;
    Tensor x;
    Tensor w;
    Tensor y;
    Pair before;
    Pair after;
    Pair dilation;
    Pair stride;
    double alpha;
    double beta;

    [[nodiscard]] std::int64_t groups() const { return x.dims[1] / w.dims[1]; }
    // Returns the tensor that is computed.
    [[nodiscard]] const Tensor& result() const {
        return direction == Direction::forward ? y : direction == Direction::backward_data ? x : w;
    }
};

struct Pointwise {
    cudnnPointwiseMode_t mode;
    Tensor x;
    std::optional<Tensor> b;
    Tensor y;
};

// The sums of each channel's numbers, and of their squares.
struct ChannelSums {
    Tensor x;
    Tensor sums;
    Tensor squares;
};

struct Graph {
    Convolution convolution;
    std::vector<Pointwise> pointwise;  // each applies to the result of the previous one
    std::optional<ChannelSums> sums;   // of the last result, which is in memory

    [[nodiscard]] const Tensor& result() const { return pointwise.empty() ? convolution.result() : pointwise.back().y; }
    // Returns the tensors that are in memory.
    [[nodiscard]] std::vector<Tensor> tensors() const;
};

std::size_t size_of(cudnnDataType_t type);

// All of these throw Failure.
Tensor read_tensor(const Description& tensor);
Convolution read_convolution(const Description& operation);
Pointwise read_pointwise(const Description& operation);
ChannelSums read_channel_sums(const Description& operation);
Graph read_graph(const Description& graph);

}  // namespace emulated::dnn
