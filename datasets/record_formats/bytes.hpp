// Bytes of these files: little endian, as on every supported machine.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sluice/tensor.h"

namespace sluice::records {

static_assert(std::endian::native == std::endian::little);

using Bytes = std::vector<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;

template <class Number>
Number load(const std::uint8_t* from) {
    Number number;
    std::memcpy(&number, from, sizeof(number));
    return number;
}

template <class Number>
requires std::is_trivially_copyable_v<Number>
void append(Bytes& to, Number number) {
    const auto at = to.size();
    to.resize(at + sizeof(number));
    std::memcpy(to.data() + at, &number, sizeof(number));
}

inline void append(Bytes& to, ByteSpan bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

inline ByteSpan bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// "0x1f3a"
std::string hexadecimal(std::uint64_t number);

// Bytes of a dense tensor.
std::uint64_t byte_count(const sluice_tensor_spec& spec);

// Receives the bytes of a file in order.
class ByteSink {
public:
    virtual ~ByteSink() = default;
    virtual void write(ByteSpan bytes) = 0;
};

}  // namespace sluice::records
