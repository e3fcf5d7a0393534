// The outline of one leaf.
#pragma once

#include <array>

#include "noise_tile.hpp"

namespace sluice::dead_leaves {

class Leaf {
public:
    // A leaf of radius r lies within kMostStretch * r of its centre.
    static constexpr float kMostStretch = 5.0F;

    // radius: of a disk with about the same area
    Leaf(sdk::Draws& draws, const NoiseTile& tile, float radius);

    // Distance in pixels from (x, y), relative to the leaf's centre, to its edge; negative inside. Exact only near the
    // edge.
    [[nodiscard]] float distance(float x, float y) const;
    // The whole leaf lies within this many pixels of its centre.
    [[nodiscard]] float reach() const { return reach_; }

private:
    enum class Outline { ellipse, rectangle, polygon, blob };

    void draw_polygon(sdk::Draws& draws, float radius);
    [[nodiscard]] float to_ellipse(float u, float v) const;
    [[nodiscard]] float to_polygon(float u, float v) const;

    struct Side {
        float x = 0.0F;
        float y = 0.0F;
        float offset = 0.0F;
    };

    Outline outline_ = Outline::ellipse;
    const NoiseTile* tile_;
    float cosine_ = 1.0F;
    float sine_ = 0.0F;
    float half_length_ = 0.0F;
    float half_width_ = 0.0F;
    float reach_ = 0.0F;
    float bumps_ = 0.0F;   // of a blob: noise entries per pixel
    float height_ = 0.0F;  // of a blob: height of its bumps, pixels
    float offset_ = 0.0F;
    std::array<Side, 7> sides_ = {};
    int side_count_ = 0;
};

}  // namespace sluice::dead_leaves
