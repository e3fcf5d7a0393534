// A struct of the ABI that begins with its size, followed by bytes that nobody may change.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sluice::check {

template <class Struct>
struct SizedStruct {
    // If `is_larger`, struct_size covers the bytes after the struct, as in a newer host. These bytes are not zero.
    explicit SizedStruct(bool is_larger) {
        std::ranges::fill(more, kMore);
        value.struct_size = size = is_larger ? sizeof(*this) - sizeof(size) : sizeof(Struct);
    }
    [[nodiscard]] bool is_intact() const {
        return value.struct_size == size && std::ranges::all_of(more, [](auto word) { return word == kMore; });
    }

    static constexpr std::uint64_t kMore = 0xE7E7E7E7E7E7E7E7;
    Struct value{};
    std::uint64_t more[8];
    std::uint64_t size;
};

}  // namespace sluice::check
