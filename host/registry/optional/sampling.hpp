// Classes and weights that a source reports without reading its samples (kind/sampling.h).
#pragma once

#include <cstdint>
#include <vector>

#include "registry/objects/source.hpp"

namespace sluice::registry {

// One value for each sample. Both throw Error(Exit::config) with `origin`, the place that requires them, if the source
// does not report them.
std::vector<std::int64_t> sample_classes(const Source& source, const Origin& origin);
std::vector<double> sample_weights(const Source& source, const Origin& origin);

}  // namespace sluice::registry
