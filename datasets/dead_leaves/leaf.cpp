#include "leaf.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "random_draws.hpp"

namespace sluice::dead_leaves {
namespace {

constexpr float kTurn = 2.0F * std::numbers::pi_v<float>;

}  // namespace

Leaf::Leaf(sdk::Draws& draws, const NoiseTile& tile, float radius) : tile_(&tile) {
    const float kind = draws.uniform();
    outline_ = kind < 0.3F    ? Outline::ellipse
               : kind < 0.5F  ? Outline::rectangle
               : kind < 0.75F ? Outline::polygon
                              : Outline::blob;
    const float angle = kTurn * draws.uniform();
    cosine_ = std::cos(angle);
    sine_ = std::sin(angle);
    // A few leaves are blades.
    const float stretch = happens(draws, 0.15F) ? log_between(draws, 1.5F, 4.0F) : log_between(draws, 1.0F, 1.5F);
    half_length_ = radius * stretch;
    half_width_ = radius / stretch;
    reach_ = half_length_;
    if (outline_ == Outline::rectangle) {
        half_length_ *= 0.886F;  // sqrt(pi) / 2: gives the rectangle the area of the disk
        half_width_ *= 0.886F;
        reach_ = std::hypot(half_length_, half_width_);
    } else if (outline_ == Outline::polygon) {
        draw_polygon(draws, radius);
    } else if (outline_ == Outline::blob) {
        bumps_ = between(draws, 6.0F, 30.0F) / radius;
        height_ = between(draws, 0.08F, 0.35F) * half_width_;
        offset_ = 128.0F * draws.uniform();
        reach_ += 2.5F * height_;
    }
}

// The sides have about equal angles and about the same distance from the centre.
void Leaf::draw_polygon(sdk::Draws& draws, float radius) {
    side_count_ = static_cast<int>(3 + draws.below(std::ssize(sides_) - 2));
    reach_ = 2.0F * radius;
    for (int i = 0; i < side_count_; ++i) {
        const float angle = kTurn * (static_cast<float>(i) + 0.5F * draws.uniform()) / static_cast<float>(side_count_);
        sides_[static_cast<std::size_t>(i)] = {std::cos(angle), std::sin(angle), radius * between(draws, 0.6F, 1.1F)};
    }
}

// First-order approximation: the implicit function |(u/a, v/b)| - 1 divided by the length of its gradient.
float Leaf::to_ellipse(float u, float v) const {
    const float p = u / half_length_;
    const float q = v / half_width_;
    const float norm = std::sqrt(p * p + q * q);
    const float slope = std::hypot(p / half_length_, q / half_width_);
    return slope == 0.0F ? -half_width_ : (norm - 1.0F) * norm / slope;
}

float Leaf::to_polygon(float u, float v) const {
    // The circle around the centre cuts off the tips of sharp corners.
    float farthest = std::sqrt(u * u + v * v) - reach_;
    for (int i = 0; i < side_count_; ++i) {
        const Side& side = sides_[static_cast<std::size_t>(i)];
        farthest = std::max(farthest, side.x * u + side.y * v - side.offset);
    }
    return farthest;
}

float Leaf::distance(float x, float y) const {
    const float u = cosine_ * x + sine_ * y;
    const float v = cosine_ * y - sine_ * x;
    switch (outline_) {
        case Outline::ellipse:
            return to_ellipse(u, v);
        case Outline::rectangle:
            return std::max(std::abs(u) - half_length_, std::abs(v) - half_width_);
        case Outline::polygon:
            return to_polygon(u, v);
        case Outline::blob:
            return to_ellipse(u, v) + height_ * tile_->at(bumps_ * u + offset_, bumps_ * v + offset_);
    }
    return std::numeric_limits<float>::infinity();
}

}  // namespace sluice::dead_leaves
