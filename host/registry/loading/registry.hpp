// All plugins that were found, and their components by kind and name. A library is loaded when a component of it is
// first used, and is never unloaded.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/value.hpp"
#include "config/spec.hpp"
#include "registry/loading/call_check.hpp"
#include "registry/loading/component.hpp"
#include "registry/manifest/manifest.hpp"

namespace sluice::registry {

// A file in the search path: a plugin, or the reason why it is none.
struct PluginFile {
    std::filesystem::path file;
    std::optional<PluginManifest> manifest;
    std::string refusal;  // empty for a plugin
};

class Registry {
public:
    // Reads the manifest of every *.so in the folders, in order, and loads nothing. Sluice's own plugins in
    // `own_folder` are trusted. Others are first loaded in a child process with a time limit. If `checks` is not null,
    // all plugin calls are checked.
    Registry(std::filesystem::path own_folder, std::span<const std::filesystem::path> more_folders,
             const CallChecks* checks = nullptr);
    ~Registry();
    Registry(Registry&&) noexcept;

    [[nodiscard]] std::span<const PluginFile> seen() const;
    // Manifests of all components of a kind, in a fixed order.
    [[nodiscard]] std::vector<const ComponentManifest*> list(Kind kind) const;

    // Finds the component that provides `name` on this kind of device ("": any) and loads its library. If there are
    // several, the highest version wins, then the lowest id. Throws Error(Exit::config) with the origin, the nearest
    // names and every refused file if there is none, and Error(Exit::plugin) if loading fails.
    [[nodiscard]] Component find(Kind kind, const std::string& name, const Origin& origin,
                                 const std::string& device = {}) const;

    // Opens exactly this component, which comes from list() or seen(). Throws Error(Exit::plugin) if loading fails.
    [[nodiscard]] Component open(const ComponentManifest& component) const;

    // Checks the options of `spec` against the component's schema and fills in the defaults.
    [[nodiscard]] Table options(const Component& component, const config::ComponentSpec& spec) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sluice::registry
