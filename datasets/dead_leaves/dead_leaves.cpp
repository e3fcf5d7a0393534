// Source `dead_leaves`: images of textured leaves that cover one another (A. Lee, D. Mumford, J. Huang, "Occlusion
// models for natural images", IJCV 2001). Each image is a pure function of the run's seed, the split and the index.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "canvas.hpp"
#include "random_draws.hpp"
#include "sluice/sdk/plugin.hpp"

namespace sluice::dead_leaves {
namespace {

struct Context : sdk::WorkerContext {
    Canvas canvas;
};

// The least radius in an image is drawn from 1 to this many times r_min.
constexpr float kMostOfSmallest = 8.0F;

// Part of the random key. It must never change, because the images would change.
std::uint64_t stream_of(const std::string& split) {
    constexpr std::uint64_t kDeadLeaves = 0x64656164;
    return kDeadLeaves * 4 + (split == "train" ? 0 : split == "validation" ? 1 : 2);
}

// Radii with density 1 / r^3 from `least` to `greatest`. With this density a picture looks the same at every scale.
struct Radii {
    float least = 0.0F;  // pixels
    float greatest = 0.0F;

    [[nodiscard]] float draw(sdk::Draws& draws) const {
        const float most = 1.0F / (least * least);
        return 1.0F / std::sqrt(most + draws.uniform() * (1.0F / (greatest * greatest) - most));
    }

    [[nodiscard]] float mean_square() const {
        const float ratio = greatest / least;
        return 2.0F * least * least * std::log(ratio) / (1.0F - 1.0F / (ratio * ratio));
    }
};

class DeadLeaves : public sdk::Source, public sdk::Identity {
public:
    DeadLeaves(sdk::Host, const sdk::Options& options)
        : count_(static_cast<std::uint64_t>(options.integer("count"))),
          height_(options.integers("size").at(0)),
          width_(options.integers("size").at(1)),
          split_(options.string("split")),
          r_min_(static_cast<float>(options.number("r_min"))),
          r_max_(static_cast<float>(options.number("r_max"))) {
        if (r_max_ < 2.0F * r_min_) {
            throw sdk::Failure(SLUICE_INVALID, "option 'r_max' is " + std::to_string(r_max_) +
                                                   "; it has to be at least twice 'r_min', " + std::to_string(r_min_));
        }
    }

    void describe(const sdk::FieldSink& sink) const override {
        sink.field("sharp", SLUICE_FIELD_IMAGE, sdk::make_spec(sdk::kUint8, {height_, width_, 3}));
        sink.length(count_);
    }

    [[nodiscard]] std::unique_ptr<sdk::WorkerContext> make_context() const override {
        return std::make_unique<Context>();
    }

    void read(sdk::WorkerContext& context, std::uint64_t index, std::uint64_t seed,
              const sdk::SampleSink& sink) const override {
        if (index >= count_) {
            throw sdk::Failure(SLUICE_INVALID, "there is no sample " + std::to_string(index) + ", only " +
                                                   std::to_string(count_) + " of them");
        }
        sink.name("dead_leaves/" + split_ + "/" + std::to_string(index));
        std::uint8_t* rgb = sink.allocate(0, sdk::make_spec(sdk::kUint8, {height_, width_, 3}));
        Canvas& canvas = static_cast<Context&>(context).canvas;
        paint(sdk::Draws({seed, stream_of(split_), index}), canvas);
        canvas.write(rgb);
    }

private:
    void paint(sdk::Draws draws, Canvas& canvas) const {
        const Palette palette(draws);
        const Texture background(draws, palette, tiles_, 0.5F * static_cast<float>(std::max(height_, width_)));
        // Images range from only large leaves to many small ones, and from sparse to dense.
        const Radii radii{std::min(log_between(draws, r_min_, kMostOfSmallest * r_min_), 0.5F * r_max_), r_max_};
        const auto leaves = static_cast<std::int64_t>(log_between(draws, 0.3F, 4.0F) * leaves_per_layer(radii));
        canvas.clear(height_, width_);
        for (std::int64_t i = 0; i < leaves && !canvas.is_covered(); ++i) {
            drop_leaf(draws, palette, radii.draw(draws), canvas);
        }
        canvas.fill(background);
    }

    // Paints a leaf at a random position on or beside the image.
    void drop_leaf(sdk::Draws& draws, const Palette& palette, float radius, Canvas& canvas) const {
        const float x = between(draws, -margin(), static_cast<float>(width_) + margin());
        const float y = between(draws, -margin(), static_cast<float>(height_) + margin());
        const float reach = Leaf::kMostStretch * radius;
        if (std::max(-x, x - static_cast<float>(width_)) > reach ||
            std::max(-y, y - static_cast<float>(height_)) > reach) {
            return;
        }
        const Leaf leaf(draws, tiles_[1], radius);
        const Texture texture(draws, palette, tiles_, radius);
        const bool is_out_of_focus = happens(draws, 0.1F);
        const bool has_shadow = happens(draws, 0.4F);
        canvas.paint_behind({.leaf = leaf,
                             .texture = texture,
                             .x = x,
                             .y = y,
                             .edge = is_out_of_focus ? between(draws, 1.5F, 4.0F) : between(draws, 0.8F, 1.3F),
                             .shadow = has_shadow ? between(draws, 0.1F, 0.6F) : 0.0F,
                             .penumbra = 1.0F + radius * between(draws, 0.1F, 0.4F)});
    }

    // Width in pixels of the area around the image where leaves are placed too. It suffices for all leaves except the
    // longest blades.
    [[nodiscard]] float margin() const { return 2.0F * r_max_; }

    // The number of leaves whose areas add up to the area of the image with its margin.
    [[nodiscard]] float leaves_per_layer(const Radii& radii) const {
        const float width = static_cast<float>(width_) + 2.0F * margin();
        const float height = static_cast<float>(height_) + 2.0F * margin();
        return width * height / (std::numbers::pi_v<float> * radii.mean_square());
    }

    std::uint64_t count_;
    std::int64_t height_;
    std::int64_t width_;
    std::string split_;
    float r_min_;
    float r_max_;
    NoiseTiles tiles_ = make_noise_tiles();
};

constexpr sluice_component kComponents[] = {sdk::component<DeadLeaves>("sluice.source.dead_leaves")};

}  // namespace
}  // namespace sluice::dead_leaves

SLUICE_DEFINE_PLUGIN(sluice::dead_leaves::kComponents)
