// Shapes and element types of the host, based on the ABI's plain structs.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "sluice/tensor.h"

namespace sluice {

inline constexpr sluice_dtype kUint8{SLUICE_CODE_UINT, 8, 1};
inline constexpr sluice_dtype kInt32{SLUICE_CODE_INT, 32, 1};
inline constexpr sluice_dtype kInt64{SLUICE_CODE_INT, 64, 1};
inline constexpr sluice_dtype kFloat16{SLUICE_CODE_FLOAT, 16, 1};
inline constexpr sluice_dtype kBfloat16{SLUICE_CODE_BFLOAT, 16, 1};
inline constexpr sluice_dtype kFloat32{SLUICE_CODE_FLOAT, 32, 1};
inline constexpr sluice_dtype kFloat64{SLUICE_CODE_FLOAT, 64, 1};

constexpr bool operator==(sluice_dtype a, sluice_dtype b) {
    return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

constexpr bool is_float(sluice_dtype dtype) {
    return dtype.code == SLUICE_CODE_FLOAT || dtype.code == SLUICE_CODE_BFLOAT;
}

std::string to_string(sluice_dtype dtype);

sluice_tensor_spec make_spec(sluice_dtype dtype, std::span<const std::int64_t> shape);
sluice_tensor_spec make_spec(sluice_dtype dtype, std::initializer_list<std::int64_t> shape);
std::span<const std::int64_t> shape_of(const sluice_tensor_spec& spec);
// On overflow, both functions return a number above every limit instead of wrapping around.
std::int64_t element_count(const sluice_tensor_spec& spec);
std::uint64_t byte_count(const sluice_tensor_spec& spec);
bool operator==(const sluice_tensor_spec& a, const sluice_tensor_spec& b);
// True if `spec` matches `announced`, where an extent of -1 stands for any extent of at least 1.
bool is_instance(const sluice_tensor_spec& spec, const sluice_tensor_spec& announced);
// Returns "[8, 128, 128, 3] float32"; -1 is shown as "?".
std::string to_string(const sluice_tensor_spec& spec);

// A dense tensor in host memory that owns its bytes.
struct HostTensor {
    sluice_tensor_spec spec{};
    std::vector<std::uint8_t> bytes;

    template <class T>
    [[nodiscard]] std::span<const T> as() const {
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    template <class T>
    [[nodiscard]] std::span<T> as() {
        return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
};

// Row-major strides in elements; 0 for axes beyond the rank.
using Strides = std::array<std::int64_t, SLUICE_MAX_RANK>;
Strides dense_strides(const sluice_tensor_spec& spec);

// Returns a dense tensor in host memory as plugins see it. Fills `strides`. The result points into `spec`, `bytes` and
// `strides`.
sluice_tensor plugin_view(const sluice_tensor_spec& spec, const std::uint8_t* bytes, Strides& strides);

// Returns the position of element number `index` in memory order, such as "[3, 4]".
std::string place_text(const sluice_tensor_spec& spec, std::size_t index);

}  // namespace sluice
