#include "check/numerics/number_format.hpp"

#include <cstring>

#include "base/error.hpp"
#include "sluice/half.h"

namespace sluice::check {
namespace {

// A 16-bit float that converts from and to double by casts, as C++ types do.
template <float (*kWiden)(std::uint16_t), std::uint16_t (*kNarrow)(float)>
class Half {
public:
    Half() = default;
    explicit Half(double number) : bits_(kNarrow(static_cast<float>(number))) {}
    explicit operator double() const { return static_cast<double>(kWiden(bits_)); }

private:
    std::uint16_t bits_ = 0;
};
using Bfloat16 = Half<sluice_float_of_bfloat16, sluice_bfloat16_of_float>;
using Float16 = Half<sluice_float_of_float16, sluice_float16_of_float>;

// Calls function(T{}) with the C++ type of the elements.
template <class Function>
void with_type(sluice_dtype dtype, const Function& function) {
    if (dtype == kFloat32) {
        function(float{});
    } else if (dtype == kFloat64) {
        function(double{});
    } else if (dtype == kBfloat16) {
        function(Bfloat16{});
    } else if (dtype == kFloat16) {
        function(Float16{});
    } else if (dtype == kUint8) {
        function(std::uint8_t{});
    } else if (dtype == kInt32) {
        function(std::int32_t{});
    } else if (dtype == kInt64) {
        function(std::int64_t{});
    } else {
        throw Error(Exit::plugin,
                    "checks support float16, bfloat16, float32, float64, uint8, int32 and int64, but a tensor is " +
                        to_string(dtype));
    }
}

}  // namespace

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
