#include "math/differences.hpp"

#include <algorithm>
#include <cmath>

#include "math/exponential.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kLanes = 16;
constexpr std::int64_t kBlock = 1024;  // pairs summed in float32 before they are added in float64

template <class Term>
[[gnu::always_inline]] inline double sum_pairs(const float* a, const float* b, std::int64_t count, const Term& term) {
    double sum = 0.0;
    std::int64_t i = 0;
    while (i + kLanes <= count) {
        float lanes[kLanes] = {};
        const std::int64_t end = i + std::min(kBlock, (count - i) / kLanes * kLanes);
        for (; i < end; i += kLanes) {
            for (std::int64_t lane = 0; lane < kLanes; ++lane) {
                lanes[lane] += term(a[i + lane], b[i + lane]);
            }
        }
        for (const float lane : lanes) {
            sum += static_cast<double>(lane);
        }
    }
    for (; i < count; ++i) {
        sum += static_cast<double>(term(a[i], b[i]));
    }
    return sum;
}

template <class Slope>
[[gnu::always_inline]] inline void write_slopes(float* to, const float* a, const float* b, std::int64_t count, bool add,
                                                const Slope& slope) {
    if (add) {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] += slope(a[i], b[i]);
        }
    } else {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = slope(a[i], b[i]);
        }
    }
}

SLUICE_CLONES double absolute_sum(const float* a, const float* b, std::int64_t count, float /*parameter*/) {
    return sum_pairs(a, b, count, [](float x, float y) { return x < y ? y - x : x - y; });
}

SLUICE_CLONES void absolute_gradient(float* to, const float* a, const float* b, std::int64_t count, float factor,
                                     float /*parameter*/, bool add) {
    write_slopes(to, a, b, count, add, [=](float x, float y) {
        const float above = x > y ? factor : 0.0F;
        return x < y ? -factor : above;
    });
}

SLUICE_CLONES double squared_sum(const float* a, const float* b, std::int64_t count, float /*parameter*/) {
    return sum_pairs(a, b, count, [](float x, float y) { return (x - y) * (x - y); });
}

SLUICE_CLONES void squared_gradient(float* to, const float* a, const float* b, std::int64_t count, float factor,
                                    float /*parameter*/, bool add) {
    write_slopes(to, a, b, count, add, [=](float x, float y) { return 2.0F * factor * (x - y); });
}

SLUICE_CLONES double charbonnier_sum(const float* a, const float* b, std::int64_t count, float epsilon) {
    return sum_pairs(a, b, count, [=](float x, float y) { return std::sqrt((x - y) * (x - y) + epsilon * epsilon); });
}

SLUICE_CLONES void charbonnier_gradient(float* to, const float* a, const float* b, std::int64_t count, float factor,
                                        float epsilon, bool add) {
    write_slopes(to, a, b, count, add,
                 [=](float x, float y) { return factor * (x - y) / std::sqrt((x - y) * (x - y) + epsilon * epsilon); });
}

// log(1 + exp(-x)), as max(-x, 0) + log(1 + exp(-|x|))
[[gnu::always_inline]] inline float binary_rest(float x) {
    const float size = x < 0.0F ? -x : x;
    return (size - x) * 0.5F + log_of_one_plus(exponential(-size));
}

// (1 - t) x + (1 + (p - 1) t) log(1 + exp(-x))
SLUICE_CLONES double binary_sum(const float* a, const float* b, std::int64_t count, float positive) {
    return sum_pairs(a, b, count, [=](float x, float t) {
        return (1.0F - t) * x + (1.0F + (positive - 1.0F) * t) * binary_rest(x);
    });
}

SLUICE_CLONES void binary_gradient(float* to, const float* a, const float* b, std::int64_t count, float factor,
                                   float positive, bool add) {
    write_slopes(to, a, b, count, add,
                 [=](float x, float t) { return factor * (1.0F - t - (1.0F + (positive - 1.0F) * t) * logistic(-x)); });
}

SLUICE_CLONES void binary_target_gradient(float* to, const float* a, const float* b, std::int64_t count, float factor,
                                          float positive, bool add) {
    write_slopes(to, a, b, count, add,
                 [=](float x, float /*t*/) { return factor * ((positive - 1.0F) * binary_rest(x) - x); });
}

}  // namespace

const PairLoss kAbsolute{absolute_sum, absolute_gradient, nullptr};
const PairLoss kSquared{squared_sum, squared_gradient, nullptr};
const PairLoss kCharbonnier{charbonnier_sum, charbonnier_gradient, nullptr};
const PairLoss kBinaryCrossEntropy{binary_sum, binary_gradient, binary_target_gradient};

}  // namespace sluice::onednn
