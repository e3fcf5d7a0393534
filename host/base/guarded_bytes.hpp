// Memory for the output of a plugin that detects writes outside of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace sluice {

// A buffer between guard bands. Its address is aligned for elements of `element` bytes and for nothing larger.
class GuardedBytes {
public:
    static constexpr std::size_t kGuard = 64;  // bytes of a band at least
    // A plugin that writes four channels instead of one writes three times the bytes too many. The band after the
    // buffer holds them too, up to this many.
    static constexpr std::size_t kMostAfter = std::size_t{4} << 20;

    GuardedBytes(std::size_t bytes, std::size_t element, std::uint8_t fill);
    // Copies `bytes`.
    GuardedBytes(std::span<const std::uint8_t> bytes, std::size_t element);
    [[nodiscard]] std::uint8_t* data() { return memory_.get() + begin_; }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {memory_.get() + begin_, bytes_}; }
    // Returns "before the beginning" or "past the end" if a band was overwritten, else empty.
    [[nodiscard]] std::string_view damage() const;

private:
    GuardedBytes(std::size_t bytes, std::size_t element);

    std::unique_ptr<std::uint8_t[]> memory_;
    std::size_t begin_;
    std::size_t bytes_;
    std::size_t all_;
};

}  // namespace sluice
