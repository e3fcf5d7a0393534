// What is written in a manifest and read by nobody. A host passes over keys and kinds that it does not know, since a
// newer one may; where the plugin was built for this one or an older one they are mistakes, of which its author is
// told.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.hpp"

namespace sluice::registry {

// Whether the host reads that key of a table which chooses a component of the kind, and no option can be given by it.
bool is_host_key(std::string_view kind, std::string_view key);

// Each with its place and the nearest right word. Of a plugin without what lies in its components.
std::vector<std::string> unread_of_plugin(const Table& manifest, std::span<const std::string_view> kinds);
std::vector<std::string> unread_of_component(const Table& component);

}  // namespace sluice::registry
