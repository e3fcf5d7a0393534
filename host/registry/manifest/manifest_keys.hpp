// Warnings about unknown keys and kinds in a manifest. The host ignores them, because a newer host may know them. If
// the plugin was built for this ABI version or an older one they are mistakes, so its author is warned.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.hpp"

namespace sluice::registry {

// True if the host itself reads `key` in a pipeline table that chooses a component of this kind. The component can
// then have no option of that name.
bool is_host_key(std::string_view kind, std::string_view key);

// Return the warnings, each with its place and the nearest known word. The first one does not look into components.
std::vector<std::string> unread_of_plugin(const Table& manifest, std::span<const std::string_view> kinds);
std::vector<std::string> unread_of_component(const Table& component);

}  // namespace sluice::registry
