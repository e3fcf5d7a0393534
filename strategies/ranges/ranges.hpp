// Sums, means and maxima over the ranges of all replicas, in the order that kind/strategy.h requires. Also scatters and
// gathers slices.
#pragma once

#include <cstddef>
#include <span>

#include "sluice/kind/strategy.h"

namespace sluice::ranges {

// Does the collective for elements `begin` to `end` of every member. Members have one kind, type and length. Other
// elements are not touched, so several threads may share the work.
void exchange(std::span<const sluice_collective> members, std::size_t begin, std::size_t end);

// Reduces the ranges of all members into the receiver's range, which may be that of a member. The first member's kind
// decides: max, otherwise sum (mean: divided by the number of members).
void reduce_to(const sluice_collective& receiver, std::span<const sluice_collective> members);

}  // namespace sluice::ranges
