// The initialisers (SLUICE_INIT_...), made with a counter-based random generator: the values of a parameter only depend
// on the seed and on the parameter's path.
#pragma once

#include <cstdint>
#include <span>

#include "registry/objects/layer.hpp"

namespace sluice::run {

// Fills a range of a parameter that begins at element `first`, a multiple of 4. The values do not depend on how the
// parameter is split into ranges.
void fill_initial(std::span<float> values, const registry::ParameterInfo& info, std::uint64_t seed,
                  std::uint64_t first = 0);

}  // namespace sluice::run
