// Transform `color_jitter`: changes brightness, contrast, saturation and hue, with the same amounts for all chosen
// images.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sample/field_choice.hpp"
#include "sample/picture.hpp"
#include "sample/range.hpp"

namespace sluice::transforms {

class ColorJitter : public sdk::Transform {
public:
    ColorJitter(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    [[nodiscard]] std::unique_ptr<sdk::WorkerContext> make_context() const override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    FieldChoice choice_;
    std::array<Range, 4> ranges_;  // in the order of ColorStep
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
