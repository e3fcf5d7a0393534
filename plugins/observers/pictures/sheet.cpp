// A white picture on which pixels and short titles are drawn.
#include "pictures/sheet.hpp"

#include <algorithm>

#include "pictures/font.hpp"

namespace sluice::observers {
namespace {

constexpr std::int64_t kLetterWidth = 5;
constexpr std::int64_t kAdvance = kLetterWidth + 1;
constexpr Rgb kInk{0, 0, 0};

}  // namespace

std::int64_t text_width(std::string_view text) { return static_cast<std::int64_t>(text.size()) * kAdvance - 1; }

Sheet::Sheet(std::int64_t width, std::int64_t height)
    : width_(width), height_(height), pixels_(static_cast<std::size_t>(width * height * 3), 255) {}

void Sheet::set(std::int64_t x, std::int64_t y, Rgb colour) {
    std::copy(colour.begin(), colour.end(), pixels_.begin() + (y * width_ + x) * 3);
}

void Sheet::draw_text(std::int64_t x, std::int64_t y, std::string_view text) {
    for (const char letter : text) {
        const auto glyph = std::find_if(std::begin(kFont), std::end(kFont),
                                        [&](const Glyph& candidate) { return candidate.letter == letter; });
        for (std::int64_t point = 0; glyph != std::end(kFont) && point < kTextHeight * kLetterWidth; ++point) {
            const std::int64_t row = point / kLetterWidth;
            const std::int64_t column = point % kLetterWidth;
            if (glyph->rows[row * (kLetterWidth + 1) + column] == '#') {
                set(x + column, y + row, kInk);
            }
        }
        x += kAdvance;
    }
}

}  // namespace sluice::observers
