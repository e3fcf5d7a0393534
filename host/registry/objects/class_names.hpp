// What a source calls its classes (kind/class_names.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "registry/objects/objects.hpp"

namespace sluice::registry {

// In the order of their numbers, as they can be shown on one line; none where the source names none of that field. Of
// very many, or very long ones, those from some number on are left out.
std::vector<std::string> class_names(const Source& source, std::uint32_t field);

}  // namespace sluice::registry
