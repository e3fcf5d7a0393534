// The same range of elements of all replicas: sums, means and maxima of them, in the order that kind/strategy.h lays
// down, and slices that are scattered and gathered.
#pragma once

#include <cstddef>
#include <span>

#include "sluice/kind/strategy.h"

namespace sluice::ranges {

// Elements `begin` to `end` of every member, which are of one kind, type and length. Other elements are left alone, so
// that several threads may share the work.
void exchange(std::span<const sluice_collective> members, std::size_t begin, std::size_t end);

// What all members together give, by the kind of the first: max, or else sum (mean: divided by their number). The
// receiver's range gets it; it may be that of a member.
void reduce_to(const sluice_collective& receiver, std::span<const sluice_collective> members);

}  // namespace sluice::ranges
