#include "crop/cutout.hpp"

#include <algorithm>
#include <cstring>

#include "crop/random_window.hpp"
#include "sample/common_extent.hpp"

namespace sluice::transforms {
namespace {

// Fills with uniform noise.
void fill_noise(std::uint8_t* to, std::int64_t bytes, std::int64_t value_bytes, sdk::Draws& draws) {
    if (value_bytes == 1) {
        std::generate_n(to, bytes, [&] { return static_cast<std::uint8_t>(draws.word() >> 24); });
    } else {
        std::generate_n(reinterpret_cast<float*>(to), bytes / value_bytes, [&] { return draws.uniform(); });
    }
}

}  // namespace

Cutout::Cutout(sdk::Host, const sdk::Options& options)
    : choice_(options),
      holes_(options.integer("holes")),
      probability_(options.number("probability")),
      area_(pair_of(options, "area")),
      ratio_(pair_of(options, "ratio")),
      is_noise_(options.string("fill") == "noise"),
      value_(static_cast<std::uint8_t>(options.integer("value"))),
      label_value_(static_cast<std::uint8_t>(options.integer("label_value"))) {
    if (options.has("size")) {
        const std::vector<std::int64_t> size = options.integers("size");
        size_ = {size.at(0), size.at(1)};
    }
}

void Cutout::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.images_of_any_type(fields);
    for (const Chosen& field : chosen_) {
        sink.field(field.name, field.role, field.spec);
    }
}

// A hole of fixed size is centred on any pixel and clipped to the picture (DeVries and Taylor 2017).
std::optional<Window> Cutout::draw_hole(Extent picture, sdk::Draws& draws) const {
    if (!size_) {
        return random_window(picture, area_, ratio_, draws);
    }
    const std::int64_t top = draws.below(picture.height) - size_->height / 2;
    const std::int64_t left = draws.below(picture.width) - size_->width / 2;
    const std::int64_t bottom = std::min(top + size_->height, picture.height);
    const std::int64_t right = std::min(left + size_->width, picture.width);
    const Window inside{std::max<std::int64_t>(top, 0), std::max<std::int64_t>(left, 0), {}};
    return Window{inside.top, inside.left, {bottom - inside.top, right - inside.left}};
}

std::vector<Window> Cutout::draw_holes(Extent picture, sdk::Draws& draws) const {
    std::vector<Window> holes;
    if (static_cast<double>(draws.uniform()) < probability_) {
        for (std::int64_t i = 0; i < holes_; ++i) {
            if (const std::optional<Window> hole = draw_hole(picture, draws)) {
                holes.push_back(*hole);
            }
        }
    }
    return holes;
}

void Cutout::apply(sdk::WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key& key,
                   const sdk::SampleSink& sink) const {
    const Extent extent =
        common_extent(chosen_, "cut out", [&](std::uint32_t index) { return picture_of(fields[index]).extent; });
    sdk::Draws draws(key);
    const std::vector<Window> holes = draw_holes(extent, draws);
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        const Picture picture = picture_of(field);
        const bool is_map = chosen_[i].role == SLUICE_FIELD_LABEL_MAP;
        std::uint8_t* const to = sink.allocate(i, spec_like(field, extent));
        std::memcpy(to, picture.bytes, static_cast<std::size_t>(extent.height * picture.row_bytes()));
        for (const Window& hole : holes) {
            const std::int64_t bytes = hole.extent.width * picture.pixel_bytes();
            for (std::int64_t y = hole.top; y < hole.top + hole.extent.height; ++y) {
                std::uint8_t* const row = to + y * picture.row_bytes() + hole.left * picture.pixel_bytes();
                if (is_noise_ && !is_map) {
                    fill_noise(row, bytes, picture.value_bytes, draws);
                } else {
                    fill(row, bytes, is_map ? label_value_ : value_, picture.value_bytes);
                }
            }
        }
    }
}

}  // namespace sluice::transforms
