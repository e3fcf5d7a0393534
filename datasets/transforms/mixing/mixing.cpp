#include "mixing/mixing.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "sluice/sdk/clones.hpp"

namespace sluice::transforms {
namespace {

// Uniform in the open interval (0, 1).
double open_uniform(sdk::Draws& draws) { return (static_cast<double>(draws.word()) + 0.5) * 0x1p-32; }

double normal(sdk::Draws& draws) {
    const double radius = std::sqrt(-2.0 * std::log(open_uniform(draws)));
    return radius * std::cos(2.0 * std::numbers::pi * open_uniform(draws));
}

// The logarithm of a draw from Gamma(alpha), computed from Gamma(alpha + 1) (Marsaglia and Tsang 2000), so that any
// small alpha works.
double log_gamma_draw(double alpha, sdk::Draws& draws) {
    const double d = alpha + 1.0 - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    while (true) {
        const double x = normal(draws);
        const double root = 1.0 + c * x;
        const double v = root * root * root;
        if (v > 0.0 && std::log(open_uniform(draws)) < 0.5 * x * x + d - d * v + d * std::log(v)) {
            return std::log(d * v) + std::log(open_uniform(draws)) / alpha;
        }
    }
}

}  // namespace

double draw_share(double alpha, sdk::Draws& draws) {
    const double mine = log_gamma_draw(alpha, draws);
    const double others = log_gamma_draw(alpha, draws);
    return 1.0 / (1.0 + std::exp(others - mine));
}

SLUICE_CLONES
void blend(std::uint8_t* to, const std::uint8_t* from, std::int64_t count, float share) {
    const float rest = 1.0F - share;
    for (std::int64_t i = 0; i < count; ++i) {
        const float sum = share * static_cast<float>(to[i]) + rest * static_cast<float>(from[i]);
        to[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(sum + 0.5F));
    }
}

SLUICE_CLONES
void blend(float* to, const float* from, std::int64_t count, float share) {
    const float rest = 1.0F - share;
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = share * to[i] + rest * from[i];
    }
}

void Partners::draw(std::int64_t samples, sdk::Draws& draws) {
    partner_.resize(static_cast<std::size_t>(samples));
    std::iota(partner_.begin(), partner_.end(), std::size_t{0});
    for (std::int64_t i = samples - 1; i > 0; --i) {
        std::swap(partner_[static_cast<std::size_t>(i)], partner_[static_cast<std::size_t>(draws.below(i + 1))]);
    }
}

void Partners::blend_rows(const SampleRows& rows, float share) {
    const auto count = static_cast<std::int64_t>(rows.bytes_of_sample / sizeof(float));
    mix(rows, [&](std::uint8_t* to, const std::uint8_t* from) {
        blend(reinterpret_cast<float*>(to), reinterpret_cast<const float*>(from), count, share);
    });
}

}  // namespace sluice::transforms
