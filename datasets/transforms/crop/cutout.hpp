// Transform `cutout` (random erasing): makes holes in every chosen picture, at the same places.
#pragma once

#include <optional>
#include <vector>

#include "sample/field_choice.hpp"
#include "sample/picture.hpp"
#include "sample/range.hpp"

namespace sluice::transforms {

class Cutout : public sdk::Transform {
public:
    Cutout(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    [[nodiscard]] std::optional<Window> draw_hole(Extent picture, sdk::Draws& draws) const;
    [[nodiscard]] std::vector<Window> draw_holes(Extent picture, sdk::Draws& draws) const;

    FieldChoice choice_;
    std::int64_t holes_;
    double probability_;
    std::optional<Extent> size_;  // std::nullopt: area and ratio are drawn
    Range area_;                  // share of the picture's area
    Range ratio_;                 // width / height
    bool is_noise_;
    std::uint8_t value_;
    std::uint8_t label_value_;
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
