#include "registry/loading/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "base/text/nearest.hpp"
#include "registry/loading/interfaces.hpp"
#include "registry/loading/load.hpp"
#include "registry/loading/plugin_call.hpp"
#include "registry/loading/probe.hpp"
#include "registry/loading/probe_cache.hpp"
#include "registry/manifest/manifest_text.hpp"
#include "registry/manifest/schema_check.hpp"
#include "registry/manifest/version.hpp"

namespace sluice::registry {
namespace {

namespace fs = std::filesystem;

// The plugin files of an entry of the search path, which is a folder or a file, in a fixed order.
std::vector<fs::path> files_of(const fs::path& entry) {
    std::error_code unseen;  // for example a link to itself; reading the file reports it later
    if (!fs::is_directory(entry, unseen)) {
        return fs::exists(entry, unseen) || unseen ? std::vector{entry} : std::vector<fs::path>{};
    }
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator file(entry, failed), end; !failed && file != end; file.increment(failed)) {
        if (file->path().extension() == ".so") {
            files.push_back(file->path());
        }
    }
    if (failed) {
        throw Error(Exit::plugin,
                    fmt::format("cannot read the plugin folder {}: {}", entry.string(), failed.message()));
    }
    std::sort(files.begin(), files.end());
    return files;
}

// A canonical path, so that a file found by two paths counts once.
fs::path identity_of(const fs::path& file) {
    std::error_code unseen;
    const fs::path path = fs::weakly_canonical(file, unseen);
    return unseen ? file : path;
}

PluginFile look_at(const fs::path& file) {
    PluginFile seen{file, std::nullopt, {}};
    try {
        seen.manifest = read_manifest(file);
    } catch (const Error& wrong) {
        const std::string prefix = file.string() + ": ";
        const std::string text = wrong.what();
        seen.refusal = text.starts_with(prefix) ? text.substr(prefix.size()) : text;
    }
    return seen;
}

}  // namespace

struct Registry::State {
    // Load state of one file: the loaded plugin, or why loading failed. Both are empty until a component is used.
    struct Plugin {
        bool is_in_own_folder = false;
        std::unique_ptr<LoadedPlugin> loaded;
        std::string failure;
    };
    struct Candidate {
        std::size_t plugin;
        const ComponentManifest* component;
    };

    fs::path own_folder;
    const CallChecks* checks = nullptr;
    std::vector<PluginFile> seen;
    std::vector<Plugin> plugins;  // same order as `seen`
    std::vector<std::size_t> load_order;
    std::map<const ComponentManifest*, std::unique_ptr<CallCheck>> made_checks;
    LaterOptions later_options;
    std::mutex loading;  // dlopen() and open() are never called concurrently

    ~State() {
        for (auto index = load_order.rbegin(); index != load_order.rend(); ++index) {
            plugins[*index].loaded.reset();
        }
    }

    void scan(std::span<const fs::path> more_folders);
    void refuse_duplicates(PluginFile& later) const;
    [[nodiscard]] std::vector<Candidate> candidates(Kind kind, const std::string& name,
                                                    const std::string& device) const;
    [[nodiscard]] bool holds(std::size_t index, const ComponentManifest& component) const;
    static bool is_trusted(const Plugin& plugin, const PluginManifest& manifest);
    LoadedPlugin& load(std::size_t index);
    CallCheck* check_of(const ComponentManifest& manifest, const PluginManifest& plugin, const sluice_host& host);
    // Opens a component of plugin number `index`.
    Component open(std::size_t index, const ComponentManifest& manifest);
    [[nodiscard]] std::string why_not_found(Kind kind, const std::string& name, const std::string& device) const;
};

void Registry::State::scan(std::span<const fs::path> more_folders) {
    std::set<fs::path> known;
    const auto add_all = [&](const fs::path& entry, bool is_own) {
        for (const fs::path& file : files_of(entry)) {
            if (known.insert(identity_of(file)).second) {
                PluginFile now = look_at(file);
                refuse_duplicates(now);
                seen.push_back(std::move(now));
                plugins.push_back({is_own, nullptr, {}});
            }
        }
    };
    add_all(own_folder, true);
    for (const fs::path& entry : more_folders) {
        add_all(entry, false);
    }
    for (const PluginFile& one : seen) {
        if (one.manifest) {
            add_later_options(later_options, *one.manifest);
        }
    }
}

void Registry::State::refuse_duplicates(PluginFile& later) const {
    if (!later.manifest) {
        return;
    }
    for (const PluginFile& earlier : seen) {
        if (!earlier.manifest) {
            continue;
        }
        for (const ComponentManifest& component : later.manifest->components) {
            if (std::ranges::count(earlier.manifest->components, component.id, &ComponentManifest::id) > 0) {
                later.refusal = fmt::format("its component id '{}' is already taken by {}; remove one of the two files",
                                            component.id, earlier.file.string());
                later.manifest.reset();
                return;
            }
        }
    }
}

std::vector<Registry::State::Candidate> Registry::State::candidates(Kind kind, const std::string& name,
                                                                    const std::string& device) const {
    std::vector<Candidate> found;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (!seen[i].manifest) {
            continue;
        }
        for (const ComponentManifest& component : seen[i].manifest->components) {
            const bool fits = device.empty() || component.device.empty() || component.device == device;
            if (component.kind == kind && component.provides == name && fits) {
                found.push_back({i, &component});
            }
        }
    }
    std::sort(found.begin(), found.end(), [&](const Candidate& a, const Candidate& b) {
        const std::string& left = seen[a.plugin].manifest->version;
        const std::string& right = seen[b.plugin].manifest->version;
        return is_older(right, left) || (!is_older(left, right) && a.component->id < b.component->id);
    });
    return found;
}

bool Registry::State::holds(std::size_t index, const ComponentManifest& component) const {
    const auto& manifest = seen.at(index).manifest;
    return manifest && std::ranges::any_of(manifest->components, [&](const auto& own) { return &own == &component; });
}

// Sluice's own plugins are trusted, because its tests load them. Other plugins may lie in the same folder.
bool Registry::State::is_trusted(const Plugin& plugin, const PluginManifest& manifest) {
    return plugin.is_in_own_folder && is_own_id(manifest.id);
}

LoadedPlugin& Registry::State::load(std::size_t index) {
    const std::lock_guard lock(loading);
    Plugin& plugin = plugins[index];
    const PluginFile& file = seen[index];
    if (plugin.loaded == nullptr && plugin.failure.empty()) {
        try {
            const bool is_known = is_trusted(plugin, *file.manifest);
            const std::string reason = is_known ? "" : probe_once(file.file, *file.manifest);
            if (!reason.empty()) {
                throw Error(Exit::plugin, file.file.string() + ": " + reason);
            }
            plugin.loaded = std::make_unique<LoadedPlugin>(file.file, *file.manifest, checks);
            if (!is_known) {
                ProbeCache().remember(file.file);
            }
            load_order.push_back(index);
        } catch (const OutOfResources&) {
            throw;  // the plugin may be sound
        } catch (const Error& wrong) {
            plugin.failure = wrong.what();
        }
    }
    if (plugin.loaded == nullptr) {
        throw Error(Exit::plugin, plugin.failure);
    }
    return *plugin.loaded;
}

Component Registry::State::open(std::size_t index, const ComponentManifest& manifest) {
    const PluginManifest& plugin = *seen[index].manifest;
    const LoadedPlugin& loaded = load(index);
    const sluice_component& entry = loaded.component(manifest);
    const char* const id = interface_id(manifest.kind);
    const void* const table = enter_call({&plugin, nullptr, nullptr, "get"}, entry.get, &entry, id);
    Component component{&manifest,     &plugin,
                        &entry,        table,
                        loaded.host(), fmt::format("{} ({} {})", manifest.provides, manifest.id, plugin.version)};
    if (checks != nullptr) {
        component.check = check_of(manifest, plugin, *component.host);
        component.table = component.check->wrap(id, component.table);
        component.host = component.check->host();
    }
    component.later_options = later_options;
    return component;
}

CallCheck* Registry::State::check_of(const ComponentManifest& manifest, const PluginManifest& plugin,
                                     const sluice_host& host) {
    const std::lock_guard lock(loading);
    std::unique_ptr<CallCheck>& check = made_checks[&manifest];
    if (check == nullptr) {
        check = checks->make(manifest, plugin, host);
    }
    checks->prepare_process();
    return check.get();
}

std::string Registry::State::why_not_found(Kind kind, const std::string& name, const std::string& device) const {
    std::set<std::string> names;
    std::set<std::string> devices;
    for (const PluginFile& file : seen) {
        for (const ComponentManifest& component : file.manifest
                                                      ? std::span<const ComponentManifest>(file.manifest->components)
                                                      : std::span<const ComponentManifest>()) {
            if (component.kind == kind) {
                names.insert(component.provides);
                if (component.provides == name) {
                    devices.insert(component.device);
                }
            }
        }
    }
    std::string text = fmt::format("there is no {} '{}'", to_string(kind), name);
    if (!devices.empty()) {
        text += fmt::format(" for device '{}'; it exists for: {}", device, fmt::join(devices, ", "));
    } else {
        text += suggestion(name, std::vector<std::string>(names.begin(), names.end()));
    }
    if (seen.empty()) {
        text += fmt::format("; no plugins were found in {}", own_folder.string());
    }
    for (const PluginFile& file : seen) {
        if (!file.manifest) {
            text += fmt::format("\n  left out: {}: {}", file.file.string(), file.refusal);
        }
    }
    return text;
}

Registry::Registry(fs::path own_folder, std::span<const fs::path> more_folders, const CallChecks* checks)
    : state_(std::make_unique<State>()) {
    state_->checks = checks;
    state_->own_folder = std::move(own_folder);
    state_->scan(more_folders);
}

Registry::~Registry() = default;
Registry::Registry(Registry&&) noexcept = default;

std::span<const PluginFile> Registry::seen() const { return state_->seen; }

std::vector<const ComponentManifest*> Registry::list(Kind kind) const {
    std::vector<const ComponentManifest*> found;
    for (const PluginFile& file : state_->seen) {
        if (file.manifest) {
            for (const ComponentManifest& component : file.manifest->components) {
                if (component.kind == kind) {
                    found.push_back(&component);
                }
            }
        }
    }
    std::ranges::sort(found, [](const ComponentManifest* a, const ComponentManifest* b) {
        return std::tie(a->provides, a->id) < std::tie(b->provides, b->id);
    });
    return found;
}

Component Registry::find(Kind kind, const std::string& name, const Origin& origin, const std::string& device) const {
    const auto found = state_->candidates(kind, name, device);
    if (found.empty()) {
        throw Error(Exit::config, to_string(origin) + ": " + state_->why_not_found(kind, name, device));
    }
    return state_->open(found.front().plugin, *found.front().component);
}

Component Registry::open(const ComponentManifest& component) const {
    std::size_t index = 0;
    while (!state_->holds(index, component)) {
        ++index;
    }
    return state_->open(index, component);
}

Table Registry::options(const Component& component, const config::ComponentSpec& spec) const {
    const ComponentManifest& manifest = *component.manifest;
    return complete(manifest.options, spec.options, fmt::format("{} '{}'", to_string(manifest.kind), manifest.provides),
                    spec.origin);
}

}  // namespace sluice::registry
