// The manifest of a plugin, read from its file without loading it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.hpp"
#include "registry/manifest/check_case.hpp"
#include "registry/manifest/kind.hpp"
#include "registry/manifest/schema.hpp"

namespace sluice::registry {

// The manifest key `draws`. For a transform: whether a sample may differ between epochs. For a source: whether its
// samples depend on the run's seed. unsaid: the manifest has no such key.
enum class Drawing { unsaid, never, always, by_options };

// A source with sees_others gets the options of the other sources under this key of create()'s options.
inline constexpr std::string_view kOthers = "others";

struct ComponentManifest {
    Kind kind = Kind::layer;
    std::string id;
    std::string provides;
    std::string about;
    std::string device;  // kind of device of kernels and optimizers; empty: any
    Schema options;
    std::vector<CheckCase> checks;
    Drawing drawing = Drawing::unsaid;
    std::vector<std::string> drawing_options{};  // by_options: it draws if one of these is given
    bool sees_others = false;                    // sources: gets the options of the other sources, as kOthers
    std::vector<std::string> known_options{};    // kernels: later layer options that they know, such as "conv2d.groups"
    std::vector<std::string> unread{};           // warnings about ignored keys, each with its place
};

struct PluginManifest {
    std::string id;
    std::string version;
    std::string about;
    std::string abi;   // "1.0"
    std::string arch;  // "x86_64"
    std::vector<ComponentManifest> components;
    std::vector<std::string> unknown_components;  // ids of components that this host ignores: unknown kind or newer ABI
    std::vector<std::string> unread;              // as for a component
};

// The value for a component with these options, as the pipeline file has them. Never returns by_options.
[[nodiscard]] Drawing randomness_of(const ComponentManifest& component, const Table& options);

// `name` begins messages. Throws Error(Exit::plugin) with the line, what was found and what is needed.
PluginManifest parse_manifest(std::string_view text, const std::string& name);

// Checks that `file` is a whole ELF library for this machine with the plugin symbol and a manifest, and parses the
// manifest. Runs no code of the file. Throws Error(Exit::plugin) with the file, what was found and what is needed.
PluginManifest read_manifest(const std::filesystem::path& file);

}  // namespace sluice::registry
