// The moment when a plugin's code begins to run. Libraries are never unloaded: their threads, their thread-local
// objects and static state of the libraries that they bring along do not survive it.
#pragma once

#include <filesystem>

#include "registry/loading/call_check.hpp"
#include "registry/loading/services.hpp"
#include "registry/manifest/manifest.hpp"
#include "sluice/plugin.h"

namespace sluice::registry {

// dlopen of exactly this file, and its table, inspected against the manifest. Not to be called concurrently. Throws
// Error(Exit::plugin) naming the file.
const sluice_plugin& load_table(const std::filesystem::path& file, const PluginManifest& manifest);

// A call of this plugin does not return, so that its close() cannot be called. [any thread]
void never_close(const PluginManifest& manifest);

// A loaded plugin between its open() and its close(). Objects of its components must be gone before; its manifest lives
// longer.
class LoadedPlugin {
public:
    // checks: nullptr where nobody checks its calls.
    LoadedPlugin(const std::filesystem::path& file, const PluginManifest& manifest, const CallChecks* checks = nullptr);
    ~LoadedPlugin();
    LoadedPlugin(const LoadedPlugin&) = delete;
    LoadedPlugin& operator=(const LoadedPlugin&) = delete;

    [[nodiscard]] const sluice_host* host() const { return host_.abi(); }
    // The table of a component's functions, as its kind has them.
    [[nodiscard]] const sluice_component& component(const ComponentManifest& component) const;

private:
    const PluginManifest& manifest_;
    PluginHost host_;
    const sluice_plugin* table_ = nullptr;
};

}  // namespace sluice::registry
