// Fingerprints of data and code, which tell whether a component would produce the same results again.
#pragma once

#include <string>

#include "registry/objects/source.hpp"

namespace sluice::registry {

// Fingerprint of a source's data (kind/identity.h). Throws Error(Exit::config) with `origin`, the place that requires
// it, if the source has none.
std::string data_identity(const Source& source, const Origin& origin);
[[nodiscard]] bool has_data_identity(const Source& source);

// Fingerprint of a component's code and options: its id and version, a hash of its library file, and the options.
std::string code_identity(const Component& component, const Table& options);

}  // namespace sluice::registry
