#include "color/color_jitter.hpp"

#include <algorithm>

#include "color/color_steps.hpp"

namespace sluice::transforms {
namespace {

constexpr std::int64_t kChannels = 3;
constexpr std::array kSteps = {ColorStep::brightness, ColorStep::contrast, ColorStep::saturation, ColorStep::hue};

struct ColorJitterContext : sdk::WorkerContext {
    std::vector<float> planes;  // [3, pixels]
};

// Factors from 1 - spread, but not below 0, to 1 + spread.
Range around_one(double spread) { return {std::max(1.0 - spread, 0.0), 1.0 + spread}; }

void split(const Picture& picture, const Planes& planes) {
    const std::uint8_t* from = picture.bytes;
    for (std::size_t i = 0; i < planes.red.size(); ++i, from += kChannels) {
        planes.red[i] = static_cast<float>(from[0]);
        planes.green[i] = static_cast<float>(from[1]);
        planes.blue[i] = static_cast<float>(from[2]);
    }
}

void join(const Planes& planes, std::uint8_t* to) {
    for (std::size_t i = 0; i < planes.red.size(); ++i, to += kChannels) {
        to[0] = static_cast<std::uint8_t>(planes.red[i] + 0.5F);
        to[1] = static_cast<std::uint8_t>(planes.green[i] + 0.5F);
        to[2] = static_cast<std::uint8_t>(planes.blue[i] + 0.5F);
    }
}

}  // namespace

ColorJitter::ColorJitter(sdk::Host, const sdk::Options& options)
    : choice_(options),
      ranges_{around_one(options.number("brightness")), around_one(options.number("contrast")),
              around_one(options.number("saturation")), Range{-options.number("hue"), options.number("hue")}} {}

void ColorJitter::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.images(fields);
    for (const Chosen& field : chosen_) {
        require_rgb(field);
        sink.field(field.name, field.role, field.spec);
    }
}

std::unique_ptr<sdk::WorkerContext> ColorJitter::make_context() const { return std::make_unique<ColorJitterContext>(); }

// The steps run in a random order, as in torchvision. All images of a sample share the order.
void ColorJitter::apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                        const sluice_random_key& key, const sdk::SampleSink& sink) const {
    sdk::Draws draws(key);
    std::array<float, kSteps.size()> amounts{};
    std::ranges::transform(ranges_, amounts.begin(),
                           [&](const Range& range) { return static_cast<float>(draw(range, draws)); });
    std::array<std::size_t, kSteps.size()> order = {0, 1, 2, 3};
    for (std::size_t i = order.size() - 1; i > 0; --i) {
        std::swap(order[i], order[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(i) + 1))]);
    }
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        const Picture picture = picture_of(field);
        const auto count = static_cast<std::size_t>(picture.extent.height * picture.extent.width);
        std::vector<float>& all = static_cast<ColorJitterContext&>(context).planes;
        all.resize(3 * count);
        const Planes planes{std::span(all).first(count), std::span(all).subspan(count, count),
                            std::span(all).last(count)};
        split(picture, planes);
        for (const std::size_t step : order) {
            if (ranges_[step].least != ranges_[step].greatest) {
                apply_color_step(kSteps[step], amounts[step], planes);
            }
        }
        join(planes, sink.allocate(i, spec_like(field, picture.extent)));
    }
}

}  // namespace sluice::transforms
