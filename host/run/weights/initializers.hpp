// The closed list of initialisers (SLUICE_INIT_...), by a counter-based generator: the values of a parameter depend on
// the seed and its path alone.
#pragma once

#include <cstdint>
#include <span>

#include "registry/objects/objects.hpp"

namespace sluice::run {

// `values` are elements of the parameter from number `first` on, a multiple of 4: a part has the values that it has in
// the whole.
void fill_initial(std::span<float> values, const registry::ParameterInfo& info, std::uint64_t seed,
                  std::uint64_t first = 0);

}  // namespace sluice::run
