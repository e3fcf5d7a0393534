// What a plugin's table must hold to agree with its manifest. Calls the components' get(), so it runs plugin code.
#pragma once

#include <string>

#include "registry/loading/plugin_call.hpp"
#include "registry/loading/registry.hpp"
#include "registry/manifest/manifest.hpp"
#include "sluice/plugin.h"

namespace sluice::registry {

// "sluice.layer/1".
const char* interface_id(Kind kind);

// The interface that a component may serve beside that of its kind, such as SLUICE_STEP_V1; null where it does not.
// Throws Error(Exit::plugin) where a function of it is NULL.
const void* more_interface(const Component& component, const char* id);

// What the function of a call is called; null where nobody knows. Async-signal-safe.
const char* name_of(const PluginCall& call);

// Empty where the table is what the manifest says and every needed function is there; otherwise what is wrong.
std::string inspect_table(const sluice_plugin& table, const PluginManifest& manifest);

}  // namespace sluice::registry
