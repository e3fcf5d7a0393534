// Memory for what a plugin writes, so that a byte beside it is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace sluice {

// Bytes at an address that is aligned for elements of `element` bytes and no more, between guard bands.
class TightBytes {
public:
    static constexpr std::size_t kGuard = 64;  // bytes of a band, at least
    // Who writes four channels where there is one writes three times the bytes behind them: the band there takes these
    // too, up to this many.
    static constexpr std::size_t kMostBehind = std::size_t{4} << 20;

    TightBytes(std::size_t bytes, std::size_t element, std::uint8_t fill);
    // A copy.
    TightBytes(std::span<const std::uint8_t> bytes, std::size_t element);
    [[nodiscard]] std::uint8_t* data() { return memory_.get() + begin_; }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {memory_.get() + begin_, bytes_}; }
    // "before the beginning", "past the end", or empty.
    [[nodiscard]] std::string_view damage() const;

private:
    TightBytes(std::size_t bytes, std::size_t element);

    std::unique_ptr<std::uint8_t[]> memory_;
    std::size_t begin_;
    std::size_t bytes_;
    std::size_t all_;
};

}  // namespace sluice
