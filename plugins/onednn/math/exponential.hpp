// exp and functions built on it, in float32 and without branches, so that compilers turn loops over them into vector
// code.
#pragma once

#include <bit>
#include <cstdint>

namespace sluice::onednn {

// Returns exp(x) to about 1e-7 of its value. x is limited to [-87, 88], so the result is never 0 or infinite. NaN stays
// NaN.
[[gnu::always_inline]] inline float exponential(float x) {
    constexpr float kLeast = -87.0F;
    constexpr float kMost = 88.0F;
    constexpr float kLog2E = 1.44269504F;
    constexpr float kLn2High = 0.693359375F;  // ln 2 in two parts: the first times a small integer is exact
    constexpr float kLn2Low = -2.12194440e-4F;
    constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it to a number rounds off the fraction
    x = x < kLeast ? kLeast : x;
    x = x > kMost ? kMost : x;
    const float n = (x * kLog2E + kRound) - kRound;
    const float r = (x - n * kLn2High) - n * kLn2Low;  // |r| <= ln 2 / 2, where the series of degree 7 is within 5e-9
    float y = 1.0F / 5040.0F;
    y = y * r + 1.0F / 720.0F;
    y = y * r + 1.0F / 120.0F;
    y = y * r + 1.0F / 24.0F;
    y = y * r + 1.0F / 6.0F;
    y = y * r + 0.5F;
    y = y * r + 1.0F;
    y = y * r + 1.0F;
    const auto power = static_cast<std::int32_t>(n);
    return y * std::bit_cast<float>((power + 127) << 23);
}

// 1 / (1 + exp(-x))
[[gnu::always_inline]] inline float logistic(float x) { return 1.0F / (1.0F + exponential(-x)); }

// Returns log(1 + e) for e in [0, 1], to about 1e-7: 2 artanh(e / (2 + e)) by its series, whose argument is at most
// 1/3.
[[gnu::always_inline]] inline float log_of_one_plus(float e) {
    const float z = e / (2.0F + e);
    const float q = z * z;
    float y = 2.0F / 15.0F;
    y = y * q + 2.0F / 13.0F;
    y = y * q + 2.0F / 11.0F;
    y = y * q + 2.0F / 9.0F;
    y = y * q + 2.0F / 7.0F;
    y = y * q + 2.0F / 5.0F;
    y = y * q + 2.0F / 3.0F;
    y = y * q + 2.0F;
    return y * z;
}

// The normal density and distribution at x.
struct Normal {
    float density;
    float distribution;
};
// The distribution is within 1e-7: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26 for erf.
[[gnu::always_inline]] inline Normal normal(float x) {
    constexpr float kInvSqrt2 = 0.707106781F;
    constexpr float kInvSqrt2Pi = 0.398942280F;
    const float z = (x < 0.0F ? -x : x) * kInvSqrt2;
    const float e = exponential(-z * z);
    const float t = 1.0F / (1.0F + 0.3275911F * z);
    float tail = 1.061405429F;
    tail = tail * t - 1.453152027F;
    tail = tail * t + 1.421413741F;
    tail = tail * t - 0.284496736F;
    tail = tail * t + 0.254829592F;
    tail = 0.5F * tail * t * e;  // probability beyond |x|
    return {kInvSqrt2Pi * e, x < 0.0F ? tail : 1.0F - tail};
}

}  // namespace sluice::onednn
