#include "run/weights/initializers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.hpp"

namespace sluice::run {
namespace {

double to_unit(std::uint32_t word) { return (static_cast<double>(word) + 0.5) * 0x1p-32; }

void fill_uniform(std::span<float> values, const sluice_random_key& key, double limit, std::uint64_t first) {
    std::uint32_t words[4] = {};
    for (std::size_t i = 0; i < values.size(); i += 4) {
        sluice_philox(&key, (first + i) / 4, words);
        const std::size_t count = std::min<std::size_t>(values.size() - i, 4);
        for (std::size_t k = 0; k < count; ++k) {
            values[i + k] = static_cast<float>(limit * (2.0 * to_unit(words[k]) - 1.0));
        }
    }
}

// Uses the Box-Muller transform (1958).
void fill_normal(std::span<float> values, const sluice_random_key& key, double deviation, std::uint64_t first) {
    std::uint32_t words[4] = {};
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % 2 == 0) {
            sluice_philox(&key, (first + i) / 2, words);
        }
        const double radius = std::sqrt(-2.0 * std::log(to_unit(words[0])));
        const double angle = 2.0 * std::numbers::pi * to_unit(words[1]);
        values[i] = static_cast<float>(deviation * radius * (i % 2 == 0 ? std::cos(angle) : std::sin(angle)));
    }
}

}  // namespace

void fill_initial(std::span<float> values, const registry::ParameterInfo& info, std::uint64_t seed,
                  std::uint64_t first) {
    const sluice_random_key key{seed, stable_hash(info.name), 0};
    const auto fan_in = static_cast<double>(std::max<std::int64_t>(info.fan_in, 1));
    const auto fans = static_cast<double>(std::max<std::int64_t>(info.fan_in + info.fan_out, 1));
    switch (info.initializer) {
        case SLUICE_INIT_ONES:
            std::ranges::fill(values, 1.0F);
            break;
        case SLUICE_INIT_CONSTANT:
            std::ranges::fill(values, static_cast<float>(info.argument));
            break;
        case SLUICE_INIT_NORMAL:
            fill_normal(values, key, info.argument, first);
            break;
        case SLUICE_INIT_UNIFORM:
            fill_uniform(values, key, info.argument, first);
            break;
        case SLUICE_INIT_GLOROT_UNIFORM:
            fill_uniform(values, key, std::sqrt(6.0 / fans), first);
            break;
        case SLUICE_INIT_GLOROT_NORMAL:
            fill_normal(values, key, std::sqrt(2.0 / fans), first);
            break;
        case SLUICE_INIT_HE_UNIFORM:
            fill_uniform(values, key, std::sqrt(6.0 / fan_in), first);
            break;
        case SLUICE_INIT_HE_NORMAL:
            fill_normal(values, key, std::sqrt(2.0 / fan_in), first);
            break;
        default:
            std::ranges::fill(values, 0.0F);
            break;
    }
}

}  // namespace sluice::run
