#include "graph.hpp"

#include <algorithm>

namespace emulated::dnn {
namespace {

struct Names {
    Direction direction;
    cudnnBackendAttributeName_t x, w, y, shape, alpha, beta;
};

Names names_of(cudnnBackendDescriptorType_t kind) {
    switch (kind) {
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
            return {Direction::forward,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
            return {Direction::backward_data,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA};
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
            return {Direction::backward_filter,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};
        default:
            fail(CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN, "the first operation is no convolution");
    }
}

[[noreturn]] void fail_pattern(const std::string& text) { fail(CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN, text); }

Pair read_pair(const Description& shape, cudnnBackendAttributeName_t name) {
    const std::vector<std::int64_t>& values = shape.integers(name);
    return {values[0], values[1]};
}

void expect_shapes(const Convolution& c) {
    const std::int64_t groups = c.w.dims[1] > 0 ? c.groups() : 0;
    bool fits = groups > 0 && c.w.dims[1] * groups == c.x.dims[1] && c.y.dims[1] == c.w.dims[0] &&
                c.w.dims[0] % groups == 0 && c.x.dims[0] == c.y.dims[0];
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const std::int64_t reach = c.dilation[axis] * (c.w.dims[axis + 2] - 1) + 1;
        const std::int64_t room = c.x.dims[axis + 2] + c.before[axis] + c.after[axis] - reach;
        fits = fits && room >= 0 && c.y.dims[axis + 2] == room / c.stride[axis] + 1;
    }
    if (!fits) {
        fail(CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH, "the tensors of a convolution do not fit each other");
    }
}

void expect_types(const Convolution& c) {
    const bool alike = c.direction == Direction::forward         ? c.x.type == c.w.type
                       : c.direction == Direction::backward_data ? c.y.type == c.w.type
                                                                 : c.x.type == c.y.type;
    if (!alike) {
        fail(CUDNN_STATUS_NOT_SUPPORTED, "the factors of a convolution are of two types");
    }
    if (c.beta != 0 && c.result().is_virtual) {
        fail(CUDNN_STATUS_NOT_SUPPORTED, "a convolution is added to a tensor that is not in memory");
    }
}

bool broadcasts(const Dims& from, const Dims& to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] != to[i] && from[i] != 1) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::size_t size_of(cudnnDataType_t type) {
    switch (type) {
        case CUDNN_DATA_FLOAT:
            return 4;
        case CUDNN_DATA_HALF:
        case CUDNN_DATA_BFLOAT16:
            return 2;
        case CUDNN_DATA_DOUBLE:
            break;
    }
    fail(CUDNN_STATUS_NOT_SUPPORTED, "tensors of this type are not emulated");
}

std::size_t Tensor::bytes() const {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        last += (dims[i] - 1) * strides[i];
    }
    return static_cast<std::size_t>(last + 1) * size_of(type);
}

Tensor read_tensor(const Description& tensor) {
    Tensor read{tensor.integer(CUDNN_ATTR_TENSOR_UNIQUE_ID),
                static_cast<cudnnDataType_t>(tensor.integer(CUDNN_ATTR_TENSOR_DATA_TYPE)),
                {},
                {},
                tensor.integer(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT),
                tensor.has(CUDNN_ATTR_TENSOR_IS_VIRTUAL) && tensor.integer(CUDNN_ATTR_TENSOR_IS_VIRTUAL) != 0};
    const std::vector<std::int64_t>& dims = tensor.integers(CUDNN_ATTR_TENSOR_DIMENSIONS);
    const std::vector<std::int64_t>& strides = tensor.integers(CUDNN_ATTR_TENSOR_STRIDES);
    if (dims.size() != 4 || strides.size() != 4) {
        fail(CUDNN_STATUS_NOT_SUPPORTED, "only tensors of 4 dimensions are emulated");
    }
    if (std::ranges::any_of(dims, [](std::int64_t n) { return n < 1; }) ||
        std::ranges::any_of(strides, [](std::int64_t n) { return n < 1; })) {
        fail(CUDNN_STATUS_BAD_PARAM, "a tensor has an extent or a stride below 1");
    }
    size_of(read.type);
    std::ranges::copy(dims, read.dims.begin());
    std::ranges::copy(strides, read.strides.begin());
    return read;
}

Convolution read_convolution(const Description& operation) {
    const Names names = names_of(operation.kind());
    const Description& shape = operation.part(names.shape);
    Convolution read{names.direction,
                     read_tensor(operation.part(names.x)),
                     read_tensor(operation.part(names.w)),
                     read_tensor(operation.part(names.y)),
                     read_pair(shape, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS),
                     read_pair(shape, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS),
                     read_pair(shape, CUDNN_ATTR_CONVOLUTION_DILATIONS),
                     read_pair(shape, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES),
                     operation.real(names.alpha),
                     operation.real(names.beta)};
    expect_shapes(read);
    expect_types(read);
    return read;
}

Pointwise read_pointwise(const Description& operation) {
    const Description& shape = operation.part(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
    Pointwise read{static_cast<cudnnPointwiseMode_t>(shape.integer(CUDNN_ATTR_POINTWISE_MODE)),
                   read_tensor(operation.part(CUDNN_ATTR_OPERATION_POINTWISE_XDESC)),
                   {},
                   read_tensor(operation.part(CUDNN_ATTR_OPERATION_POINTWISE_YDESC))};
    if (operation.has(CUDNN_ATTR_OPERATION_POINTWISE_BDESC)) {
        read.b = read_tensor(operation.part(CUDNN_ATTR_OPERATION_POINTWISE_BDESC));
    }
    if (read.b.has_value() != (read.mode == CUDNN_POINTWISE_ADD || read.mode == CUDNN_POINTWISE_MUL)) {
        fail(CUDNN_STATUS_BAD_PARAM, "an operation on elements has too many operands, or too few");
    }
    if (read.x.dims != read.y.dims || (read.b && !broadcasts(read.b->dims, read.y.dims))) {
        fail(CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH, "the tensors of an operation on elements do not fit each other");
    }
    return read;
}

ChannelSums read_channel_sums(const Description& operation) {
    ChannelSums read{read_tensor(operation.part(CUDNN_ATTR_OPERATION_GENSTATS_XDESC)),
                     read_tensor(operation.part(CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC)),
                     read_tensor(operation.part(CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC))};
    const Dims channels = {1, read.x.dims[1], 1, 1};
    if (read.sums.dims != channels || read.squares.dims != channels) {
        fail(CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH, "sums of channels have another shape than [1, channels, 1, 1]");
    }
    if (operation.integer(CUDNN_ATTR_OPERATION_GENSTATS_MODE) != CUDNN_GENSTATS_SUM_SQSUM ||
        operation.integer(CUDNN_ATTR_OPERATION_GENSTATS_MATH_PREC) != CUDNN_DATA_FLOAT ||
        read.sums.type != CUDNN_DATA_FLOAT || read.squares.type != CUDNN_DATA_FLOAT) {
        fail(CUDNN_STATUS_NOT_SUPPORTED, "only sums of channels in float32 are emulated");
    }
    return read;
}

Graph read_graph(const Description& graph) {
    const std::vector<Part>& operations = graph.parts(CUDNN_ATTR_OPERATIONGRAPH_OPS);
    Graph read{read_convolution(*operations.front()), {}, {}};
    for (std::size_t i = 1; i < operations.size(); ++i) {
        if (read.sums) {
            fail_pattern("sums of channels are not the last operation");
        }
        if (operations[i]->kind() == CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR) {
            read.sums = read_channel_sums(*operations[i]);
            if (read.sums->x.id != read.result().id) {
                fail_pattern("the channels that are summed are not those of the result before");
            }
            continue;
        }
        if (operations[i]->kind() != CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR) {
            fail_pattern("more than one convolution in a graph");
        }
        const Pointwise next = read_pointwise(*operations[i]);
        if (next.x.id != read.result().id || !read.result().is_virtual) {
            fail_pattern("an operation on elements does not take the result of the one before");
        }
        read.pointwise.push_back(next);
    }
    if (read.result().is_virtual) {
        fail_pattern("the result of a graph is not in memory");
    }
    return read;
}

std::vector<Tensor> Graph::tensors() const {
    std::vector<Tensor> all;
    const auto add = [&](const Tensor& tensor) {
        if (!tensor.is_virtual) {
            all.push_back(tensor);
        }
    };
    add(convolution.x);
    add(convolution.w);
    add(convolution.y);
    for (const Pointwise& operation : pointwise) {
        if (operation.b) {
            add(*operation.b);
        }
        add(operation.y);
    }
    if (sums) {
        add(sums->sums);
        add(sums->squares);
    }
    return all;
}

}  // namespace emulated::dnn
