// What a source tells of its samples without reading them (kind/sampling.h).
#pragma once

#include <cstdint>
#include <vector>

#include "registry/objects/objects.hpp"

namespace sluice::registry {

// One for each sample. Both throw Error(Exit::config) with `origin`, where they were asked for, if the source cannot
// tell.
std::vector<std::int64_t> sample_classes(const Source& source, const Origin& origin);
std::vector<double> sample_weights(const Source& source, const Origin& origin);

}  // namespace sluice::registry
