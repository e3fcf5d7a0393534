#include "noise/gaussian_noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sample/picture.hpp"

namespace sluice::transforms {
namespace {

constexpr std::size_t kQuantiles = 65536;

// Computes quantiles from the middle outward. Newton's method starts each at the previous one; the tail is convex, so
// it never overshoots.
std::vector<float> normal_quantiles() {
    constexpr int kIterations = 5;
    std::vector<float> quantile(kQuantiles);
    double z = 0.0;
    for (std::size_t i = kQuantiles / 2; i < kQuantiles; ++i) {
        const double tail = (static_cast<double>(kQuantiles - i) - 0.5) / static_cast<double>(kQuantiles);
        for (int iteration = 0; iteration < kIterations; ++iteration) {
            const double density = std::exp(-0.5 * z * z) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
            z += (0.5 * std::erfc(z / std::numbers::sqrt2) - tail) / density;
        }
        quantile[i] = static_cast<float>(z);
        quantile[kQuantiles - 1 - i] = static_cast<float>(-z);
    }
    return quantile;
}

std::uint8_t noisy(std::uint8_t value, float noise) {
    return static_cast<std::uint8_t>(std::clamp(static_cast<float>(value) + noise + 0.5F, 0.0F, 255.0F));
}

}  // namespace

GaussianNoise::GaussianNoise(sdk::Host, const sdk::Options& options)
    : choice_(options), sigma_(range_of(options, "sigma")), quantile_(normal_quantiles()) {}

void GaussianNoise::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.images(fields);
    for (const Chosen& field : chosen_) {
        sink.field(field.name, field.role, field.spec);
    }
}

void GaussianNoise::apply(sdk::WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key& key,
                          const sdk::SampleSink& sink) const {
    sdk::Draws draws(key);
    const auto sigma = static_cast<float>(draw(sigma_, draws));
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        const Picture picture = picture_of(field);
        const std::int64_t count = picture.extent.height * picture.row_bytes();
        std::uint8_t* const to = sink.allocate(i, spec_like(field, picture.extent));
        for (std::int64_t k = 0; k < count; k += 2) {  // one random word gives the noise of two bytes
            const std::uint32_t word = draws.word();
            to[k] = noisy(picture.bytes[k], sigma * quantile_[word & 0xFFFFU]);
            if (k + 1 < count) {
                to[k + 1] = noisy(picture.bytes[k + 1], sigma * quantile_[word >> 16U]);
            }
        }
    }
}

}  // namespace sluice::transforms
