#include "check/number_format.hpp"

#include <cstring>

#include "base/error.hpp"

namespace sluice::check {
namespace {

// Calls function(T{}) with the C++ type of the elements.
template <class Function>
void with_type(sluice_dtype dtype, const Function& function) {
    if (dtype == kFloat32) {
        function(float{});
    } else if (dtype == kFloat64) {
        function(double{});
    } else if (dtype == kUint8) {
        function(std::uint8_t{});
    } else if (dtype == kInt32) {
        function(std::int32_t{});
    } else if (dtype == kInt64) {
        function(std::int64_t{});
    } else {
        throw Error(Exit::plugin,
                    "checks know float32, float64, uint8, int32 and int64; a tensor is " + to_string(dtype));
    }
}

}  // namespace

bool is_float(sluice_dtype dtype) { return dtype.code == SLUICE_CODE_FLOAT || dtype.code == SLUICE_CODE_BFLOAT; }

std::vector<std::byte> encode(const sluice_tensor_spec& spec, const Numbers& numbers) {
    std::vector<std::byte> bytes(byte_count(spec));
    with_type(spec.dtype, [&](auto zero) {
        std::byte* to = bytes.data();
        for (const double number : numbers) {
            const auto value = static_cast<decltype(zero)>(number);
            std::memcpy(to, &value, sizeof(value));
            to += sizeof(value);
        }
    });
    return bytes;
}

Numbers decode(const sluice_tensor_spec& spec, std::span<const std::byte> bytes) {
    Numbers numbers;
    numbers.reserve(static_cast<std::size_t>(element_count(spec)));
    with_type(spec.dtype, [&](auto value) {
        for (std::size_t at = 0; at < bytes.size(); at += sizeof(value)) {
            std::memcpy(&value, bytes.data() + at, sizeof(value));
            numbers.push_back(static_cast<double>(value));
        }
    });
    return numbers;
}

}  // namespace sluice::check
