// A white picture on which pixels and short titles are drawn. RGB, 8 bits.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sluice::observers {

inline constexpr std::int64_t kTextHeight = 7;

// Returns the width in pixels. The built-in letters are a-z, 0-9 and space; others are drawn as space.
std::int64_t text_width(std::string_view text);

using Rgb = std::array<std::uint8_t, 3>;

class Sheet {
public:
    Sheet(std::int64_t width, std::int64_t height);
    void set(std::int64_t x, std::int64_t y, Rgb colour);
    // Draws in black. x, y: the upper left corner.
    void draw_text(std::int64_t x, std::int64_t y, std::string_view text);

    [[nodiscard]] std::int64_t width() const { return width_; }
    [[nodiscard]] std::int64_t height() const { return height_; }
    [[nodiscard]] std::span<const std::uint8_t> pixels() const { return pixels_; }

private:
    std::int64_t width_;
    std::int64_t height_;
    std::vector<std::uint8_t> pixels_;
};

}  // namespace sluice::observers
