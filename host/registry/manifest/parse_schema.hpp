#pragma once

#include "base/value.hpp"
#include "registry/manifest/schema.hpp"

namespace sluice::registry {

// Reads `[component.options]` of a manifest. Throws Error(Exit::plugin) that names the manifest's line.
Schema parse_schema(const Table& options);

}  // namespace sluice::registry
