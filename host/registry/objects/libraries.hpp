// The libraries that a component computes with: see kind/libraries.h.
#pragma once

#include <string>
#include <vector>

#include "registry/loading/registry.hpp"

namespace sluice::registry {

struct Library {
    std::string name, version;
};

// None where the component does not tell.
std::vector<Library> libraries_of(const Component& component);

}  // namespace sluice::registry
