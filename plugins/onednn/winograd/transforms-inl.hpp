// The one-dimensional transforms of Winograd's convolution (Lavin and Gray, "Fast algorithms for convolutional neural
// networks", 2015) on vectors of channels: 6 points 0, a, -a, b, -b and infinity, so that outputs + taps - 1 = 6.
// spread() evaluates a polynomial of `kCount` coefficients at the points; collect() is its adjoint. With a = 5/8 and b
// = 3/2 the rounding errors of float32 are about 3 times smaller than with 1 and 2.
//
// Included once for each instruction set; see hwy/foreach_target.h.
#if defined(SLUICE_WINOGRAD_TRANSFORMS) == defined(HWY_TARGET_TOGGLE)
#ifdef SLUICE_WINOGRAD_TRANSFORMS
#undef SLUICE_WINOGRAD_TRANSFORMS
#else
#define SLUICE_WINOGRAD_TRANSFORMS
#endif

#include <cstdint>

#include "math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {

using Tag = FloatTag;
using Vector = Floats;
constexpr std::int64_t kLanes = hn::MaxLanes(Tag());
constexpr int kPoints = 6;

constexpr double kA = 0.625;
constexpr double kB = 1.5;

constexpr double power(double base, int exponent) { return exponent == 0 ? 1.0 : base * power(base, exponent - 1); }

// Factors of the values at each kind of point. The kernel carries the products of differences of the points.
struct Unscaled {
    static constexpr double kZero = 1.0;
    static constexpr double kAtA = 1.0;
    static constexpr double kAtB = 1.0;
};
struct KernelScale {
    static constexpr double kZero = 1.0 / (kA * kA * kB * kB);
    static constexpr double kAtA = 1.0 / (2.0 * kA * kA * (kA * kA - kB * kB));
    static constexpr double kAtB = 1.0 / (2.0 * kB * kB * (kB * kB - kA * kA));
};

HWY_INLINE Vector times(double factor, Vector x) { return hn::Mul(hn::Set(Tag(), static_cast<float>(factor)), x); }
HWY_INLINE Vector plus_times(Vector sum, double factor, Vector x) {
    return hn::MulAdd(hn::Set(Tag(), static_cast<float>(factor)), x, sum);
}

// B^T x: from six elements of the input to six points.
HWY_INLINE void transform_six(const Vector (&x)[kPoints], Vector (&out)[kPoints]) {
    constexpr double kProduct = kA * kA * kB * kB;
    constexpr double kSum = kA * kA + kB * kB;
    const Vector even_a = plus_times(x[4], -kB * kB, x[2]);
    const Vector odd_a = plus_times(x[3], -kB * kB, x[1]);
    const Vector even_b = plus_times(x[4], -kA * kA, x[2]);
    const Vector odd_b = plus_times(x[3], -kA * kA, x[1]);
    out[0] = plus_times(plus_times(x[4], kProduct, x[0]), -kSum, x[2]);
    out[1] = plus_times(even_a, kA, odd_a);
    out[2] = plus_times(even_a, -kA, odd_a);
    out[3] = plus_times(even_b, kB, odd_b);
    out[4] = plus_times(even_b, -kB, odd_b);
    out[5] = plus_times(plus_times(x[5], kProduct, x[1]), -kSum, x[3]);
}

// Returns factor * (x[first] + point^2 x[first + 2] + ...) * point^first.
template <int kCount>
HWY_INLINE Vector every_second(const Vector (&x)[kCount], int first, double point, double factor) {
    Vector sum = times(factor * power(point, first), x[first]);
    for (int k = first + 2; k < kCount; k += 2) {
        sum = plus_times(sum, factor * power(point, k), x[k]);
    }
    return sum;
}

template <class Scale, int kCount>
HWY_INLINE void spread(const Vector (&x)[kCount], Vector (&out)[kPoints]) {
    const Vector even_a = every_second(x, 0, kA, Scale::kAtA);
    const Vector odd_a = every_second(x, 1, kA, Scale::kAtA);
    const Vector even_b = every_second(x, 0, kB, Scale::kAtB);
    const Vector odd_b = every_second(x, 1, kB, Scale::kAtB);
    out[0] = times(Scale::kZero, x[0]);
    out[1] = hn::Add(even_a, odd_a);
    out[2] = hn::Sub(even_a, odd_a);
    out[3] = hn::Add(even_b, odd_b);
    out[4] = hn::Sub(even_b, odd_b);
    out[5] = x[kCount - 1];
}

template <class Scale, int kCount>
HWY_INLINE void collect(const Vector (&at)[kPoints], Vector (&out)[kCount]) {
    const Vector sums[2] = {hn::Add(at[1], at[2]), hn::Sub(at[1], at[2])};
    const Vector far_sums[2] = {hn::Add(at[3], at[4]), hn::Sub(at[3], at[4])};
    for (int k = 0; k < kCount; ++k) {
        out[k] =
            plus_times(times(Scale::kAtA * power(kA, k), sums[k % 2]), Scale::kAtB * power(kB, k), far_sums[k % 2]);
    }
    out[0] = plus_times(out[0], Scale::kZero, at[0]);
    out[kCount - 1] = hn::Add(out[kCount - 1], at[5]);
}

}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
