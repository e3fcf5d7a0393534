// All tolerances of kernel checks. A difference may be up to the tolerance times max(1, largest magnitude of the
// expected tensor), because sums that cancel keep the errors of their terms. The kernels of this repository stay below
// a tenth of each tolerance. The rest is room for other orders of summation and other approximations of tanh.
#pragma once

#include "base/tensor.hpp"

namespace sluice::check {

enum class Quantity { output, state, input_gradient, parameter_gradient };

constexpr double tolerance(sluice_dtype compute, Quantity quantity) {
    if (compute == kFloat64) {
        return 1e-6;  // parameter gradients and sums of losses are float32 even then
    }
    const bool is_gradient = quantity == Quantity::input_gradient || quantity == Quantity::parameter_gradient;
    if (compute == kBfloat16 || compute == kFloat16) {
        // Each result and each operand, including parameters, is rounded once, by at most half of this.
        const double rounding = compute == kBfloat16 ? 0x1p-8 : 0x1p-11;
        return is_gradient ? 4 * rounding : 2 * rounding;
    }
    return is_gradient ? 1e-5 : 5e-6;
}

// Central differences: `step` is half the distance of the two points, `tolerance` is the allowed error of the slope.
struct DifferenceStep {
    double step;
    double tolerance;
};
// For float64 outputs. The error of the method is step^2 / 6 times the third derivative.
inline constexpr DifferenceStep kExactDifference{1e-3, 2e-5};
// For float32 outputs, such as the sums of a loss. The error from their rounding is added to it. The values of cases
// are further than this step from points at which relu and the like have no slope.
inline constexpr DifferenceStep kNarrowDifference{4e-3, 5e-3};

}  // namespace sluice::check
