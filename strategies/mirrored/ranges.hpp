// The same range of elements of all replicas: sums, means and maxima of them, in the order that kind/strategy.h lays
// down, and slices that are scattered and gathered.
#pragma once

#include <cstddef>
#include <span>

#include "sluice/kind/strategy.h"

namespace sluice::mirrored {

// Elements `begin` to `end` of every member, which are of one kind, type and length. Other elements are left alone, so
// that several threads may share the work.
void exchange(std::span<const sluice_collective> members, std::size_t begin, std::size_t end);

}  // namespace sluice::mirrored
