// Shapes and element types of the host, over the ABI's plain structs.
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
// Where there are more than fit into the type, as many as do: more than any bound allows.
std::int64_t element_count(const sluice_tensor_spec& spec);
std::uint64_t byte_count(const sluice_tensor_spec& spec);
bool operator==(const sluice_tensor_spec& a, const sluice_tensor_spec& b);
// Whether a tensor is of the announced kind, of which an extent of -1 is any.
bool is_instance(const sluice_tensor_spec& spec, const sluice_tensor_spec& announced);
// "[8, 128, 128, 3] float32"; -1 is shown as "?".
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

// Row-major, in elements; of axes that there are not, 0.
using Strides = std::array<std::int64_t, SLUICE_MAX_RANK>;
Strides dense_strides(const sluice_tensor_spec& spec);

// A dense tensor in host memory as plugins see it, with pointers into `spec` and `strides`, which it fills.
sluice_tensor plugin_view(const sluice_tensor_spec& spec, const std::uint8_t* bytes, Strides& strides);

// "[3, 4]": where an element is, counted in memory.
std::string place_text(const sluice_tensor_spec& spec, std::size_t index);

}  // namespace sluice
