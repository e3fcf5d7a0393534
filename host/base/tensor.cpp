#include "base/tensor.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace sluice {

std::string to_string(sluice_dtype dtype) {
    const char* kind = dtype.code == SLUICE_CODE_INT      ? "int"
                       : dtype.code == SLUICE_CODE_UINT   ? "uint"
                       : dtype.code == SLUICE_CODE_FLOAT  ? "float"
                       : dtype.code == SLUICE_CODE_BFLOAT ? "bfloat"
                                                          : "unknown";
    return kind + std::to_string(dtype.bits);
}

sluice_tensor_spec make_spec(sluice_dtype dtype, std::span<const std::int64_t> shape) {
    if (shape.size() > SLUICE_MAX_RANK) {
        throw Error(Exit::config, "a tensor of rank " + std::to_string(shape.size()) + "; the most is 8");
    }
    sluice_tensor_spec spec{};
    spec.dtype = dtype;
    spec.rank = static_cast<std::int32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), spec.shape);
    return spec;
}

sluice_tensor_spec make_spec(sluice_dtype dtype, std::initializer_list<std::int64_t> shape) {
    return make_spec(dtype, std::span<const std::int64_t>(shape.begin(), shape.size()));
}

std::span<const std::int64_t> shape_of(const sluice_tensor_spec& spec) {
    return {spec.shape, static_cast<std::size_t>(spec.rank)};
}

std::int64_t element_count(const sluice_tensor_spec& spec) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape_of(spec)) {
        if (__builtin_mul_overflow(count, extent, &count)) {
            count = std::numeric_limits<std::int64_t>::max();
        }
    }
    return count;
}

std::uint64_t byte_count(const sluice_tensor_spec& spec) {
    const std::uint64_t of_element = std::uint64_t{spec.dtype.bits} * spec.dtype.lanes;
    std::uint64_t bits = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(element_count(spec)), of_element, &bits)) {
        bits = std::numeric_limits<std::uint64_t>::max();
    }
    return bits / 8;
}

bool operator==(const sluice_tensor_spec& a, const sluice_tensor_spec& b) {
    return a.dtype == b.dtype && std::ranges::equal(shape_of(a), shape_of(b));
}

bool is_instance(const sluice_tensor_spec& spec, const sluice_tensor_spec& announced) {
    if (spec.rank != announced.rank || !(spec.dtype == announced.dtype)) {
        return false;
    }
    for (std::int32_t i = 0; i < spec.rank; ++i) {
        if (spec.shape[i] < 1 || (announced.shape[i] != -1 && spec.shape[i] != announced.shape[i])) {
            return false;
        }
    }
    return true;
}

std::string to_string(const sluice_tensor_spec& spec) {
    std::string text;
    for (const std::int64_t extent : shape_of(spec)) {
        text += (text.empty() ? "" : ", ") + (extent < 0 ? std::string("?") : std::to_string(extent));
    }
    return "[" + text + "] " + to_string(spec.dtype);
}

Strides dense_strides(const sluice_tensor_spec& spec) {
    Strides strides{};
    std::int64_t stride = 1;
    for (auto axis = static_cast<std::size_t>(spec.rank); axis-- > 0;) {
        strides[axis] = stride;
        stride *= spec.shape[axis];
    }
    return strides;
}

sluice_tensor plugin_view(const sluice_tensor_spec& spec, const std::uint8_t* bytes, Strides& strides) {
    strides = dense_strides(spec);
    return {.data = const_cast<std::uint8_t*>(bytes),
            .device = {SLUICE_DEVICE_CPU, 0},
            .rank = spec.rank,
            .dtype = spec.dtype,
            .shape = spec.shape,
            .strides = strides.data(),
            .byte_offset = 0};
}

std::string place_text(const sluice_tensor_spec& spec, std::size_t index) {
    const Strides strides = dense_strides(spec);
    auto rest = static_cast<std::int64_t>(index);
    std::string text;
    for (std::size_t axis = 0; axis < shape_of(spec).size(); ++axis) {
        text += (text.empty() ? "" : ", ") + std::to_string(rest / strides[axis]);
        rest %= strides[axis];
    }
    return "[" + text + "]";
}

}  // namespace sluice
