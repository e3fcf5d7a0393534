#include "graph/conv_graph.hpp"

namespace sluice::cudnn {
namespace {

// Attributes of an operation, by direction.
struct Names {
    cudnnBackendDescriptorType_t type;
    cudnnBackendAttributeName_t x;
    cudnnBackendAttributeName_t w;
    cudnnBackendAttributeName_t y;
    cudnnBackendAttributeName_t convolution;
    cudnnBackendAttributeName_t alpha;
    cudnnBackendAttributeName_t beta;
};

Names names_of(Direction direction) {
    switch (direction) {
        case Direction::forward:
            return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
        case Direction::backward_data:
            return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA};
        case Direction::backward_weights:
            break;
    }
    return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};
}

using Dims = std::array<std::int64_t, 4>;

Dims x_dims(const ConvProblem& p) { return {p.batch, p.channels, p.in[0], p.in[1]}; }
Dims w_dims(const ConvProblem& p) { return {p.filters, p.channels / p.groups, p.taps[0], p.taps[1]}; }
Dims y_dims(const ConvProblem& p) { return {p.batch, p.filters, p.out[0], p.out[1]}; }

Descriptor shape_of(const ConvProblem& p) {
    Descriptor shape(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    shape.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, std::int64_t{2})
        .set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT)
        .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION)
        .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, std::span<const std::int64_t>(p.before))
        .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, std::span<const std::int64_t>(p.after))
        .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, std::span<const std::int64_t>(p.dilation))
        .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, std::span<const std::int64_t>(p.stride))
        .finalize("a convolution");
    return shape;
}

}  // namespace

ConvGraph::ConvGraph(const ConvProblem& p, const Target& target) : graph_(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR) {
    const bool is_forward = p.direction == Direction::forward;
    const bool writes_kernels = p.direction == Direction::backward_weights;
    const Dims dims = is_forward ? y_dims(p) : writes_kernels ? w_dims(p) : x_dims(p);
    const Operand written = is_forward ? Operand::y : writes_kernels ? Operand::w : Operand::x;
    const Descriptor& last = tensor(written, dims, writes_kernels ? p.kernels : p.image);
    std::vector<const Descriptor*> operations;
    const Descriptor* computed = p.bias || p.relu ? &tensor(Operand::convolved, dims, CUDNN_DATA_FLOAT, true) : &last;
    operations.push_back(&convolution(p, *computed));
    if (p.bias) {
        const Descriptor& bias = tensor(Operand::bias, {1, dims[1], 1, 1}, p.image);
        const Descriptor& biased = p.relu ? tensor(Operand::biased, dims, CUDNN_DATA_FLOAT, true) : last;
        operations.push_back(&pointwise(CUDNN_POINTWISE_ADD, *computed, &bias, biased));
        computed = &biased;
    }
    if (p.relu) {
        operations.push_back(&pointwise(CUDNN_POINTWISE_RELU_FWD, *computed, nullptr, last));
    }
    if (p.sums) {
        operations.push_back(&channel_sums(last, dims[1]));
    }
    graph_.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, std::span<const Descriptor* const>(operations));
    target.bind_graph(graph_);
    graph_.finalize("the graph of a convolution");
}

const Descriptor& ConvGraph::tensor(Operand operand, std::array<std::int64_t, 4> dims, cudnnDataType_t type,
                                    bool is_virtual) {
    const Dims strides = {dims[1] * dims[2] * dims[3], 1, dims[3] * dims[1], dims[1]};
    Descriptor& made = parts_.emplace_back(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    made.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, static_cast<std::int64_t>(operand))
        .set(CUDNN_ATTR_TENSOR_DATA_TYPE, type)
        .set(CUDNN_ATTR_TENSOR_DIMENSIONS, std::span<const std::int64_t>(dims))
        .set(CUDNN_ATTR_TENSOR_STRIDES, std::span<const std::int64_t>(strides))
        .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, std::int64_t{16})
        .set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, is_virtual)
        .finalize("a tensor");
    return made;
}

// result: the tensor that the direction computes. The other two are made here.
const Descriptor& ConvGraph::convolution(const ConvProblem& p, const Descriptor& result) {
    const Names names = names_of(p.direction);
    const bool is_forward = p.direction == Direction::forward;
    const Descriptor& x = p.direction == Direction::backward_data ? result : tensor(Operand::x, x_dims(p), p.image);
    const Descriptor& w =
        p.direction == Direction::backward_weights ? result : tensor(Operand::w, w_dims(p), p.kernels);
    const Descriptor& y = is_forward ? result : tensor(Operand::y, y_dims(p), p.image);
    const Descriptor& shape = parts_.emplace_back(shape_of(p));
    Descriptor& operation = parts_.emplace_back(names.type);
    operation.set(names.x, x)
        .set(names.w, w)
        .set(names.y, y)
        .set(names.convolution, shape)
        .set(names.alpha, 1.0F)
        .set(names.beta, p.add ? 1.0F : 0.0F)
        .finalize("the operation " + describe(p));
    return operation;
}

const Descriptor& ConvGraph::pointwise(cudnnPointwiseMode_t mode, const Descriptor& from, const Descriptor* operand,
                                       const Descriptor& to) {
    Descriptor& shape = parts_.emplace_back(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    shape.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode)
        .set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT)
        .finalize("an operation on elements");
    Descriptor& operation = parts_.emplace_back(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, shape)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, from)
        .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, to);
    if (operand != nullptr) {
        operation.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, *operand);
    }
    operation.finalize("an operation on elements");
    return operation;
}

const Descriptor& ConvGraph::channel_sums(const Descriptor& from, std::int64_t channels) {
    const Descriptor& sums = tensor(Operand::sums, {1, channels, 1, 1}, CUDNN_DATA_FLOAT);
    const Descriptor& squares = tensor(Operand::squares, {1, channels, 1, 1}, CUDNN_DATA_FLOAT);
    Descriptor& operation = parts_.emplace_back(CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_GENSTATS_MODE, CUDNN_TYPE_GENSTATS_MODE, CUDNN_GENSTATS_SUM_SQSUM)
        .set(CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC, CUDNN_DATA_FLOAT)
        .set(CUDNN_ATTR_OPERATION_GENSTATS_XDESC, from)
        .set(CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC, sums)
        .set(CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC, squares)
        .finalize("sums of channels");
    return operation;
}

}  // namespace sluice::cudnn
