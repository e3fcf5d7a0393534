#include "codec/widen.hpp"

#include <cstring>
#include <limits>

namespace sluice::transforms {
namespace {

// Starts with the last value, so that each one is read before a float overwrites it.
template <class Value>
void widen_values(std::uint8_t* values, std::int64_t count) {
    constexpr auto kGreatest = static_cast<float>(std::numeric_limits<Value>::max());
    for (std::int64_t i = count - 1; i >= 0; --i) {
        Value value;
        std::memcpy(&value, values + i * static_cast<std::int64_t>(sizeof(value)), sizeof(value));
        const float share = static_cast<float>(value) / kGreatest;
        std::memcpy(values + i * static_cast<std::int64_t>(sizeof(share)), &share, sizeof(share));
    }
}

}  // namespace

void widen(std::uint8_t* values, std::int64_t count, std::int64_t value_bytes) {
    if (value_bytes == 1) {
        widen_values<std::uint8_t>(values, count);
    } else {
        widen_values<std::uint16_t>(values, count);
    }
}

}  // namespace sluice::transforms
