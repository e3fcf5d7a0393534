// Loads a plugin's library and opens the plugin. Libraries are never unloaded, because their threads, thread-local
// objects and the static state of their own libraries would not survive it.
#pragma once

#include <filesystem>

#include "registry/loading/call_check.hpp"
#include "registry/loading/services.hpp"
#include "registry/manifest/manifest.hpp"
#include "sluice/plugin.h"

namespace sluice::registry {

// Loads exactly this file and checks its table against the manifest. Must not be called concurrently. Throws
// Error(Exit::plugin) that names the file.
const sluice_plugin& load_table(const std::filesystem::path& file, const PluginManifest& manifest);

// Call this if a call of the plugin does not return; its close() is then never called. [any thread]
void never_close(const PluginManifest& manifest);

// A loaded plugin: the constructor calls open(), the destructor close(). Destroy all objects of its components first.
// The manifest must outlive it.
class LoadedPlugin {
public:
    // checks: null if its calls are not checked.
    LoadedPlugin(const std::filesystem::path& file, const PluginManifest& manifest, const CallChecks* checks = nullptr);
    ~LoadedPlugin();
    LoadedPlugin(const LoadedPlugin&) = delete;
    LoadedPlugin& operator=(const LoadedPlugin&) = delete;

    [[nodiscard]] const sluice_host* host() const { return host_.abi(); }
    // The entry of a component in the plugin's table.
    [[nodiscard]] const sluice_component& component(const ComponentManifest& component) const;

private:
    const PluginManifest& manifest_;
    PluginHost host_;
    const sluice_plugin* table_ = nullptr;
};

}  // namespace sluice::registry
