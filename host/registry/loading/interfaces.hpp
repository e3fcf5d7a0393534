// The interfaces of plugin tables, and the check of a table against its manifest. Calls get(), so it runs plugin code.
#pragma once

#include <string>

#include "registry/loading/component.hpp"
#include "registry/loading/plugin_call.hpp"
#include "registry/manifest/manifest.hpp"
#include "sluice/plugin.h"

namespace sluice::registry {

// Returns an id such as "sluice.layer/1".
const char* interface_id(Kind kind);

// Returns an optional interface of a component, such as SLUICE_STEP_V1; null if the component does not serve it.
// Throws Error(Exit::plugin) if a required function of it is NULL.
const void* optional_interface(const Component& component, const char* id);

// Name of the function of a call; null if unknown. Async-signal-safe.
const char* name_of(const PluginCall& call);

// Checks that the table has the components of the manifest and all required functions. Returns what is wrong, or an
// empty string.
std::string inspect_table(const sluice_plugin& table, const PluginManifest& manifest);

}  // namespace sluice::registry
