// The libraries that a component computes with (kind/libraries.h).
#pragma once

#include <string>
#include <vector>

#include "registry/loading/component.hpp"

namespace sluice::registry {

struct Library {
    std::string name, version;
};

// Empty if the component does not report them.
std::vector<Library> libraries_of(const Component& component);

}  // namespace sluice::registry
