// What tells whether a component would make the same again.
#pragma once

#include <string>

#include "registry/objects/objects.hpp"

namespace sluice::registry {

// Of the data of a source (kind/identity.h). Throws Error(Exit::config) with `origin`, where it was asked for, if the
// source does not tell.
std::string data_identity(const Source& source, const Origin& origin);
[[nodiscard]] bool tells_data_identity(const Source& source);

// Of a component's code and options: its names, the options, and a hash of its library's file.
std::string code_identity(const Component& component, const Table& options);

}  // namespace sluice::registry
