// The transform `hsv_jitter` changes hue, saturation and brightness of an RGB image, by different amounts for each
// sample.
#include <algorithm>
#include <array>
#include <cmath>

#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

using Pixel = std::array<float, 3>;

// Hue from 0 to 6, saturation and value from 0 to 1 (Smith, "Color gamut transform pairs", 1978).
Pixel hsv_of(const Pixel& rgb) {
    const auto [r, g, b] = rgb;
    const float value = std::max({r, g, b});
    const float range = value - std::min({r, g, b});
    if (range <= 0.0F) {
        return {0.0F, 0.0F, value};
    }
    const float hue = value == r ? (g - b) / range : value == g ? 2.0F + (b - r) / range : 4.0F + (r - g) / range;
    return {hue < 0.0F ? hue + 6.0F : hue, range / value, value};
}

Pixel rgb_of(const Pixel& hsv) {
    const auto [hue, saturation, value] = hsv;
    const auto channel = [&](float offset) {
        const float place = std::fmod(offset + hue, 6.0F);
        return value - value * saturation * std::clamp(std::min(place, 4.0F - place), 0.0F, 1.0F);
    };
    return {channel(5.0F), channel(3.0F), channel(1.0F)};
}

class HsvJitter : public sdk::Transform {
public:
    HsvJitter(sdk::Host, const sdk::Options& options)
        : field_(options.string("field")),
          hue_(options.number("hue")),
          saturation_(options.number("saturation")),
          value_(options.number("value")) {}

    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override {
        const auto found = std::find_if(fields.begin(), fields.end(),
                                        [&](const sluice_field& field) { return sdk::view(field.name) == field_; });
        if (found == fields.end()) {
            throw sdk::Failure(SLUICE_INVALID, "there is no field '" + field_ + "'");
        }
        if (found->role != SLUICE_FIELD_IMAGE || (found->spec.shape[2] != 3 && found->spec.shape[2] != -1)) {
            throw sdk::Failure(SLUICE_INVALID, "field '" + field_ + "' is no image of 3 channels");
        }
        place_ = static_cast<std::size_t>(found - fields.begin());
        sink.field(field_, found->role, found->spec);
    }

    void apply(sdk::WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override {
        const sluice_tensor& image = fields[place_];
        const sluice_tensor_spec spec =
            sdk::make_spec(image.dtype, {image.shape, static_cast<std::size_t>(image.rank)});
        if (spec.shape[2] != 3) {
            throw sdk::Failure(SLUICE_BAD_SAMPLE,
                               "the image has " + std::to_string(spec.shape[2]) + " channels; 3 are needed");
        }
        sdk::Draws draws(key);
        const auto between = [&](double amount) { return static_cast<float>(amount * (2.0 * draws.uniform() - 1.0)); };
        const float turned = 6.0F + 6.0F * between(hue_);
        const float saturation = 1.0F + between(saturation_);
        const float value = 1.0F + between(value_);
        const auto* from = static_cast<const std::uint8_t*>(image.data) + image.byte_offset;
        std::uint8_t* to = sink.allocate(0, spec);
        for (std::int64_t pixel = 0; pixel < spec.shape[0] * spec.shape[1]; ++pixel, from += 3, to += 3) {
            const auto [h, s, v] = hsv_of({from[0] / 255.0F, from[1] / 255.0F, from[2] / 255.0F});
            const Pixel changed =
                rgb_of({std::fmod(h + turned, 6.0F), std::min(s * saturation, 1.0F), std::min(v * value, 1.0F)});
            std::transform(changed.begin(), changed.end(), to,
                           [](float x) { return static_cast<std::uint8_t>(x * 255.0F + 0.5F); });
        }
    }

private:
    std::string field_;
    double hue_;
    double saturation_;
    double value_;
    std::size_t place_ = 0;
};

constexpr sluice_component kComponents[] = {sdk::component<HsvJitter>("com.acme.transform.hsv_jitter")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
