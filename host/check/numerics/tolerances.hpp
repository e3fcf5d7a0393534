// The one table of how far kernels may be from the truth. A difference is allowed up to the tolerance times
// max(1, largest magnitude of the right tensor): sums that cancel are off by what their terms are off. The kernels of
// this repository stay below a tenth of each: room for other orders of summation and other approximations of tanh.
#pragma once

#include "base/tensor.hpp"

namespace sluice::check {

enum class Quantity { output, state, input_gradient, parameter_gradient };

constexpr double tolerance(sluice_dtype compute, Quantity quantity) {
    if (compute == kFloat64) {
        return 1e-6;  // parameter gradients and sums of losses are float32 all the same
    }
    const bool is_gradient = quantity == Quantity::input_gradient || quantity == Quantity::parameter_gradient;
    if (compute == kBfloat16 || compute == kFloat16) {
        // Of results and operands, parameters among them, each is rounded once: by half of this at most.
        const double rounding = compute == kBfloat16 ? 0x1p-8 : 0x1p-11;
        return is_gradient ? 4 * rounding : 2 * rounding;
    }
    return is_gradient ? 1e-5 : 5e-6;
}

// Central differences: half the distance of the two points, and how far the slope may be off.
struct DifferenceStep {
    double step;
    double tolerance;
};
// Of float64 outputs; the error is that of the third derivative, step^2 / 6 times it.
inline constexpr DifferenceStep kExactDifference{1e-3, 2e-5};
// Of float32 outputs, such as the sums of a loss: what their rounding does comes on top. The numbers of cases keep
// further away than this from where relu and the like have no slope.
inline constexpr DifferenceStep kNarrowDifference{4e-3, 5e-3};

}  // namespace sluice::check
