// A case to check a component with, from its manifest.
#pragma once

#include "registry/manifest/manifest.hpp"

namespace sluice::registry {

// Throws Error(Exit::plugin) with the manifest's line.
CheckCase parse_check(const Value& value, Kind kind, const Schema& schema);

}  // namespace sluice::registry
