// All plugins that were found, and their components by kind and name. Libraries are loaded when a component of theirs
// is first used, and never unloaded.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "registry/loading/call_check.hpp"
#include "registry/loading/services.hpp"
#include "registry/manifest/later_options.hpp"
#include "registry/manifest/manifest.hpp"
#include "sluice/plugin.h"

namespace sluice::registry {

// A file that was seen in the search path: a plugin, or the reason why not.
struct Seen {
    std::filesystem::path file;
    std::optional<PluginManifest> manifest;
    std::string refusal;  // empty for a plugin
};

// A component ready to be used: its library is loaded and its table was found.
struct Component {
    const ComponentManifest* manifest = nullptr;
    const PluginManifest* plugin = nullptr;
    const sluice_component* entry = nullptr;
    const void* table = nullptr;  // the interface of its kind, revision 1
    const sluice_host* host = nullptr;
    std::string label;                             // "onednn (sluice.kernel.onednn 0.1.0)" for messages
    CallCheck* check = nullptr;                    // if its calls are checked: `table` is then not the plugin's own
    std::span<const LaterOption> later_options{};  // of all layer types
};

class Registry {
public:
    // Reads the manifest of every *.so in the folders, in order; loads nothing. `own_folder`'s plugins are trusted;
    // one from elsewhere is first loaded in a child process, with a time limit. checks: of the calls of all, if not
    // NULL.
    Registry(std::filesystem::path own_folder, std::span<const std::filesystem::path> more_folders,
             const CallChecks* checks = nullptr);
    ~Registry();
    Registry(Registry&&) noexcept;

    [[nodiscard]] std::span<const Seen> seen() const;
    // Manifests of all components of a kind, in a fixed order.
    [[nodiscard]] std::vector<const ComponentManifest*> list(Kind kind) const;

    // The component of that kind that provides `name` on that kind of device ("" = any); highest version, then id,
    // where several do. Loads its library. Throws Error(Exit::config) with the origin, the nearest names, and every
    // refused file; Error(Exit::plugin) where loading fails.
    [[nodiscard]] Component find(Kind kind, const std::string& name, const Origin& origin,
                                 const std::string& device = {}) const;

    // This very one, of list() or seen(). Throws Error(Exit::plugin) where loading fails.
    [[nodiscard]] Component open(const ComponentManifest& component) const;

    // The options of `spec` checked against the component's schema and completed.
    [[nodiscard]] Table options(const Component& component, const config::ComponentSpec& spec) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Search folders besides the host's own: `--plugin` folders or files, SLUICE_PLUGIN_PATH,
// $XDG_DATA_HOME/sluice/plugins. The environment is ignored for a privileged process.
std::vector<std::filesystem::path> plugin_search_path(std::span<const std::string> from_command_line);

}  // namespace sluice::registry
