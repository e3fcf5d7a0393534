// Names of a source's classes (kind/class_names.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "registry/objects/source.hpp"

namespace sluice::registry {

// The names by class number, escaped to be shown on one line; empty if the source names no classes of this field. The
// list is cut at 65536 names or 4 MiB.
std::vector<std::string> class_names(const Source& source, std::uint32_t field);

}  // namespace sluice::registry
