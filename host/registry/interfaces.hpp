// What a plugin's table must hold to agree with its manifest. Calls the components' get(), so it runs plugin code.
#pragma once

#include <string>

#include "registry/manifest.hpp"
#include "sluice/plugin.h"

namespace sluice::registry {

// "sluice.layer/1".
const char* interface_id(Kind kind);

// Empty where the table is what the manifest says and every needed function is there; otherwise what is wrong.
std::string inspect_table(const sluice_plugin& table, const PluginManifest& manifest);

}  // namespace sluice::registry
