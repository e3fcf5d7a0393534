// Parses the check cases of a component from its manifest.
#pragma once

#include "registry/manifest/manifest.hpp"

namespace sluice::registry {

// Parses one [[component.check]] table. Throws Error(Exit::plugin) with the manifest's line.
CheckCase parse_check(const Value& value, Kind kind, const Schema& schema);

}  // namespace sluice::registry
