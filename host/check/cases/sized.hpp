// A struct of the ABI that begins with its size, with bytes behind it that nobody may touch.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sluice::check {

template <class Struct>
struct Sized {
    // is_larger: it says that the bytes behind it belong to it, as those of a newer host do; they are no zeros.
    explicit Sized(bool is_larger) {
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
