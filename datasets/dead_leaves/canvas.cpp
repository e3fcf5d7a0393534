#include "canvas.hpp"

#include <algorithm>

namespace sluice::dead_leaves {
namespace {

// A pixel counts as covered if a smaller share of it is open: less than one step of 255.
constexpr float kClosed = 1.0F / 256.0F;

std::uint8_t to_byte(float value) { return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F) + 0.5F); }

}  // namespace

void Canvas::clear(std::int64_t height, std::int64_t width) {
    height_ = height;
    width_ = width;
    open_pixels_ = height * width;
    open_in_row_.assign(static_cast<std::size_t>(height), width);
    pixels_.assign(static_cast<std::size_t>(height * width), Pixel());
}

void Canvas::paint_behind(const Placed& placed) {
    const float reach = placed.leaf.reach() + std::max(placed.edge, placed.shadow > 0.0F ? placed.penumbra : 0.0F);
    const auto top = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(placed.y - reach)));
    const auto bottom = std::min(height_ - 1, static_cast<std::int64_t>(std::ceil(placed.y + reach)));
    for (std::int64_t y = top; y <= bottom; ++y) {
        if (open_in_row_[static_cast<std::size_t>(y)] > 0) {
            paint_row(placed, y);
        }
    }
}

void Canvas::paint_row(const Placed& placed, std::int64_t y) {
    const float reach = placed.leaf.reach() + std::max(placed.edge, placed.shadow > 0.0F ? placed.penumbra : 0.0F);
    const float dy = static_cast<float>(y) - placed.y;
    const float half = std::sqrt(std::max(0.0F, reach * reach - dy * dy));
    const auto left = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(placed.x - half)));
    const auto right = std::min(width_ - 1, static_cast<std::int64_t>(std::ceil(placed.x + half)));
    Pixel* const row = pixels_.data() + y * width_;
    for (std::int64_t x = left; x <= right; ++x) {
        Pixel& pixel = row[x];
        if (pixel.open < kClosed) {
            continue;
        }
        const float dx = static_cast<float>(x) - placed.x;
        const float distance = placed.leaf.distance(dx, dy);
        const float share = std::clamp(0.5F - distance / placed.edge, 0.0F, 1.0F);
        if (share > 0.0F) {
            cover(pixel, share, placed.texture.at(dx, dy));
            if (pixel.open < kClosed) {
                --open_in_row_[static_cast<std::size_t>(y)];
                --open_pixels_;
            }
        }
        if (placed.shadow > 0.0F && distance < placed.penumbra) {
            pixel.light *= 1.0F - placed.shadow * std::clamp(1.0F - distance / placed.penumbra, 0.0F, 1.0F);
        }
    }
}

void Canvas::cover(Pixel& pixel, float share, const Colour& colour) {
    const float weight = pixel.open * share * pixel.light;
    pixel.colour.red += weight * colour.red;
    pixel.colour.green += weight * colour.green;
    pixel.colour.blue += weight * colour.blue;
    pixel.open *= 1.0F - share;
}

void Canvas::fill(const Texture& background) {
    const std::int64_t middle_x = width_ / 2;
    const std::int64_t middle_y = height_ / 2;
    for (std::int64_t y = 0; y < height_; ++y) {
        if (open_in_row_[static_cast<std::size_t>(y)] == 0) {
            continue;
        }
        for (std::int64_t x = 0; x < width_; ++x) {
            Pixel& pixel = pixels_[static_cast<std::size_t>(y * width_ + x)];
            if (pixel.open >= kClosed) {
                cover(pixel, 1.0F, background.at(static_cast<float>(x - middle_x), static_cast<float>(y - middle_y)));
            }
        }
    }
    open_pixels_ = 0;
}

void Canvas::write(std::uint8_t* rgb) const {
    for (const Pixel& pixel : pixels_) {
        *rgb++ = to_byte(pixel.colour.red);
        *rgb++ = to_byte(pixel.colour.green);
        *rgb++ = to_byte(pixel.colour.blue);
    }
}

}  // namespace sluice::dead_leaves
