// What is right for a kernel on a case, and how far from it a kernel is.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "check/cases/cases.hpp"
#include "check/cases/claimed.hpp"

namespace sluice::check {

// What another order of summation does to float32, at most.
constexpr double kOtherSums = 1e-3;

// Where `found` is further from `right` than `tolerance` (see compare.hpp) allows: the first such tensor.
std::optional<std::string> far_apart(const NodeSpecs& specs, const KernelResults& found, const KernelResults& right,
                                     double tolerance);

// By another provider, in float64. Where there is none: nothing, after slopes of its own were held against finite
// differences, in float64 if it computes in that, by one thread; throws Broken where they are wrong.
std::optional<KernelResults> right_of(Claimed& claimed, const NodeCase& node);

// Shapes that no manifest lists.
std::span<const Case> kernel_size_cases();

}  // namespace sluice::check
