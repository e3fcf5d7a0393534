// Cases that a kernel is held against, what is right for it on them, and how far from that it is.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "check/cases/claimed.hpp"
#include "check/contract/cases.hpp"

namespace sluice::check {

// What another order of summation does to float32, at most.
constexpr double kOtherSums = 1e-3;

// Where `found` is further from `right` than `tolerance` (see compare.hpp) allows: the first such tensor.
std::optional<std::string> far_apart(const NodeSpecs& specs, const KernelResults& found, const KernelResults& right,
                                     double tolerance);

// By another provider, in float64. Where there is none: nothing, after slopes of its own were held against finite
// differences, in float64 if it computes in that, by one thread; throws Broken where they are wrong.
std::optional<KernelResults> right_of(Claimed& claimed, const NodeCase& node);

// Nothing where a layer refuses it, or a plan leaves it out.
std::optional<NodeCase> take(Trial& trial, const registry::Component& type, const registry::CheckCase& check,
                             std::size_t number, bool trains);

// Shapes that no manifest lists.
std::span<const Case> kernel_size_cases();
// Several layers in one.
std::span<const Case> kernel_chain_cases();

}  // namespace sluice::check
