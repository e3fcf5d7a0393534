// Shapes that no manifest lists, from those that one does: kernels cut tensors into vectors and tiles, and friendly
// shapes leave no rest.
#pragma once

#include <vector>

#include "registry/manifest/manifest.hpp"

namespace sluice::check {

struct NearCase {
    registry::CheckCase check;
    bool changes_all = false;  // all extents, not those of one axis alone
    bool is_larger = true;     // an extent may be larger than that of the case
};

// The case with every extent odd, and with one axis of 1, of a prime, or of 0; in no order that matters, each once. A
// layer may refuse any of them. Extents that are equal stay so.
std::vector<NearCase> make_near_cases(const registry::CheckCase& check);

}  // namespace sluice::check
