// Derives shapes that no manifest lists from those of a manifest. Kernels cut tensors into vectors and tiles, and the
// usual shapes leave no remainder.
#pragma once

#include <vector>

#include "registry/manifest/manifest.hpp"

namespace sluice::check {

struct ResizedCase {
    registry::CheckCase check;
    bool changes_all = false;  // all extents change, not only those of one axis
    bool is_larger = true;     // an extent may be larger than that of the case
};

// Makes the case with all extents odd, with all extents 1, and with one axis of 1, a prime or 0. Each shape occurs
// once, and the order has no meaning. A layer may refuse any of them. Equal extents stay equal.
std::vector<ResizedCase> make_resized_cases(const registry::CheckCase& check);

}  // namespace sluice::check
