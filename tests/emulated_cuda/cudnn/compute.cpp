#include "compute.hpp"

#include <bit>
#include <cstring>

#include "loops.hpp"
#include "sluice/half.h"

namespace emulated::dnn {
namespace {

float load(const void* from, cudnnDataType_t type, std::int64_t at) {
    if (type == CUDNN_DATA_FLOAT) {
        return static_cast<const float*>(from)[at];
    }
    const std::uint16_t bits = static_cast<const std::uint16_t*>(from)[at];
    return type == CUDNN_DATA_HALF ? sluice_float_of_float16(bits) : sluice_float_of_bfloat16(bits);
}

void store(void* to, cudnnDataType_t type, std::int64_t at, float value) {
    if (type == CUDNN_DATA_FLOAT) {
        static_cast<float*>(to)[at] = value;
    } else {
        static_cast<std::uint16_t*>(to)[at] =
            type == CUDNN_DATA_HALF ? sluice_float16_of_float(value) : sluice_bfloat16_of_float(value);
    }
}

// Calls body(place in memory, place in dense NHWC) for each element.
template <class Body>
void for_each(const Tensor& tensor, const Body& body) {
    std::int64_t dense = 0;
    const auto& [n, c, h, w] = tensor.dims;
    const Dims& strides = tensor.strides;
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t y = 0; y < h; ++y) {
            for (std::int64_t x = 0; x < w; ++x) {
                for (std::int64_t k = 0; k < c; ++k) {
                    body(i * strides[0] + k * strides[1] + y * strides[2] + x * strides[3], dense++);
                }
            }
        }
    }
}

// Rounds to the nearest number of 11 bits, as TF32 does.
float rounded_to_11_bits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const bool is_finite = (bits & 0x7F800000U) != 0x7F800000U;
    return is_finite ? std::bit_cast<float>((bits + 0xFFFU + (bits >> 13 & 1U)) & ~0x1FFFU) : value;
}

// Returns the values as dense NHWC.
std::vector<float> read(const Tensor& tensor, const Bindings& bindings, bool rounds) {
    std::vector<float> values(static_cast<std::size_t>(tensor.count()));
    const void* const from = bindings.at(tensor.id);
    for_each(tensor, [&](std::int64_t place, std::int64_t dense) {
        const float value = load(from, tensor.type, place);
        values[static_cast<std::size_t>(dense)] = rounds ? rounded_to_11_bits(value) : value;
    });
    return values;
}

std::vector<double> convolve(const Convolution& c, const Bindings& bindings, bool rounds) {
    switch (c.direction) {
        case Direction::forward:
            return forward(c, read(c.x, bindings, rounds), read(c.w, bindings, rounds));
        case Direction::backward_data:
            return backward_data(c, read(c.w, bindings, rounds), read(c.y, bindings, rounds));
        case Direction::backward_filter:
            break;
    }
    return backward_filter(c, read(c.x, bindings, rounds), read(c.y, bindings, rounds));
}

// Returns alpha * sums + beta * the existing values.
std::vector<float> scale(const Convolution& c, const std::vector<double>& sums, const Bindings& bindings) {
    const Tensor& to = c.result();
    std::vector<float> values(sums.size());
    const void* const before = c.beta != 0 ? bindings.at(to.id) : nullptr;
    for_each(to, [&](std::int64_t place, std::int64_t dense) {
        const auto at = static_cast<std::size_t>(dense);
        const double there = before != nullptr ? c.beta * load(before, to.type, place) : 0;
        values[at] = static_cast<float>(c.alpha * sums[at] + there);
    });
    return values;
}

// Rounds the values to the tensor's type, as if they were stored in it and read again.
void round_through(const Tensor& tensor, std::vector<float>& values) {
    for (float& value : values) {
        std::uint32_t bits = 0;
        store(&bits, tensor.type, 0, value);
        value = load(&bits, tensor.type, 0);
    }
}

void apply(const Pointwise& operation, const Bindings& bindings, std::vector<float>& values) {
    if (!operation.b) {
        for (float& value : values) {
            value = value < 0 ? 0 : value;
        }
        return;
    }
    Tensor spread = *operation.b;  // with stride 0 along axes on which it has one element
    for (std::size_t i = 0; i < spread.dims.size(); ++i) {
        spread.strides[i] = spread.dims[i] == 1 ? 0 : spread.strides[i];
        spread.dims[i] = operation.y.dims[i];
    }
    const void* const from = bindings.at(spread.id);
    for_each(spread, [&](std::int64_t place, std::int64_t dense) {
        float& value = values[static_cast<std::size_t>(dense)];
        const float b = load(from, spread.type, place);
        value = operation.mode == CUDNN_POINTWISE_ADD ? value + b : value * b;
    });
}

// Sums the numbers as they are stored.
void sum_channels(const ChannelSums& operation, const std::vector<float>& values, const Bindings& bindings) {
    const auto channels = static_cast<std::size_t>(operation.x.dims[1]);
    std::vector<float> rounded = values;
    round_through(operation.x, rounded);
    std::vector<double> sums(channels);
    std::vector<double> squares(channels);
    for (std::size_t i = 0; i < rounded.size(); ++i) {
        const double value = rounded[i];
        sums[i % channels] += value;
        squares[i % channels] += value * value;
    }
    for_each(operation.sums, [&](std::int64_t place, std::int64_t c) {
        store(bindings.at(operation.sums.id), CUDNN_DATA_FLOAT, place,
              static_cast<float>(sums[static_cast<std::size_t>(c)]));
    });
    for_each(operation.squares, [&](std::int64_t place, std::int64_t c) {
        store(bindings.at(operation.squares.id), CUDNN_DATA_FLOAT, place,
              static_cast<float>(squares[static_cast<std::size_t>(c)]));
    });
}

// Overwrites the workspace, as an engine that uses it may. The tensor core engine passes its values through it.
void use_workspace(EngineNumber engine, const Graph& graph, void* workspace, std::vector<float>& values) {
    const auto bytes = static_cast<std::size_t>(workspace_of(engine, graph));
    if (bytes == 0) {
        return;
    }
    std::memset(workspace, 0xFF, bytes);
    if (engine == EngineNumber::tensor_core) {
        std::memcpy(workspace, values.data(), bytes);
        std::memcpy(values.data(), workspace, bytes);
        std::memset(workspace, 0xFF, bytes);
    }
}

}  // namespace

void compute(const Graph& graph, EngineNumber engine, const Bindings& bindings, void* workspace, unsigned number) {
    constexpr float kOtherOrder = 1.0F + 0x1p-20F;  // how much another order of summation changes sums
    const bool rounds = engine == EngineNumber::tensor_core || engine == EngineNumber::fused;
    Convolution convolution = graph.convolution;
    const auto fault = trials().faults.find(engine);
    if (fault != trials().faults.end() && fault->second == Fault::uneven_zeros) {
        std::swap(convolution.before, convolution.after);
    }
    std::vector<float> values = scale(convolution, convolve(convolution, bindings, rounds), bindings);
    if (engine == EngineNumber::scattered && number % 2 == 1) {
        for (float& value : values) {
            value *= kOtherOrder;
        }
    }
    const Tensor* last = &convolution.result();
    for (const Pointwise& operation : graph.pointwise) {
        round_through(*last, values);
        apply(operation, bindings, values);
        last = &operation.y;
    }
    use_workspace(engine, graph, workspace, values);
    if (graph.sums) {
        sum_channels(*graph.sums, values, bindings);
    }
    void* const to = bindings.at(last->id);
    for_each(*last, [&](std::int64_t place, std::int64_t dense) {
        store(to, last->type, place, values[static_cast<std::size_t>(dense)]);
    });
}

}  // namespace emulated::dnn
