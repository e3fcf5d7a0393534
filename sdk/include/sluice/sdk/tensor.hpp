// Shapes and element types as values.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "sluice/sdk/guard.hpp"
#include "sluice/tensor.h"

namespace sluice::sdk {

inline constexpr sluice_dtype kUint8{SLUICE_CODE_UINT, 8, 1};
inline constexpr sluice_dtype kInt64{SLUICE_CODE_INT, 64, 1};
inline constexpr sluice_dtype kFloat32{SLUICE_CODE_FLOAT, 32, 1};
inline constexpr sluice_dtype kFloat64{SLUICE_CODE_FLOAT, 64, 1};
inline constexpr sluice_dtype kFloat16{SLUICE_CODE_FLOAT, 16, 1};
inline constexpr sluice_dtype kBfloat16{SLUICE_CODE_BFLOAT, 16, 1};

inline constexpr bool same(sluice_dtype a, sluice_dtype b) {
    return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

// True for the types in which mixed precision stores activations.
inline constexpr bool is_16_bit_float(sluice_dtype dtype) { return same(dtype, kFloat16) || same(dtype, kBfloat16); }

inline std::string name_of(sluice_dtype dtype) {
    const char* kind = dtype.code == SLUICE_CODE_INT      ? "int"
                       : dtype.code == SLUICE_CODE_UINT   ? "uint"
                       : dtype.code == SLUICE_CODE_FLOAT  ? "float"
                       : dtype.code == SLUICE_CODE_BFLOAT ? "bfloat"
                                                          : "unknown";
    return kind + std::to_string(dtype.bits);
}

inline sluice_tensor_spec make_spec(sluice_dtype dtype, std::span<const std::int64_t> shape) {
    if (shape.size() > SLUICE_MAX_RANK) {
        throw Failure(SLUICE_INVALID, "a tensor of rank " + std::to_string(shape.size()) + "; the most is 8");
    }
    sluice_tensor_spec spec{};
    spec.dtype = dtype;
    spec.rank = static_cast<std::int32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), spec.shape);
    return spec;
}
inline sluice_tensor_spec make_spec(sluice_dtype dtype, std::initializer_list<std::int64_t> shape) {
    return make_spec(dtype, std::span<const std::int64_t>(shape.begin(), shape.size()));
}

inline std::int64_t element_count(const sluice_tensor_spec& spec) {
    std::int64_t count = 1;
    for (std::int32_t i = 0; i < spec.rank; ++i) {
        count *= spec.shape[i];
    }
    return count;
}

inline bool same_shape(const sluice_tensor_spec& a, const sluice_tensor_spec& b) {
    return a.rank == b.rank && std::equal(a.shape, a.shape + a.rank, b.shape);
}

// "[8, 128, 128, 3] float32"
inline std::string describe(const sluice_tensor_spec& spec) {
    std::string text = "[";
    for (std::int32_t i = 0; i < spec.rank; ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(spec.shape[i]);
    }
    return text + "] " + name_of(spec.dtype);
}

}  // namespace sluice::sdk
