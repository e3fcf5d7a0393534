// The manifest of a plugin, read from its file without loading it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/tensor.hpp"
#include "registry/manifest/schema.hpp"

namespace sluice::registry {

enum class Kind { device, layer, kernel, optimizer, source, transform, precision, strategy, observer };

std::string_view to_string(Kind kind);
using sluice::to_string;  // the overloads for tensors, which the line above would hide

// A further layer in the chain of a check.
struct CheckLink {
    std::string type;
    Origin origin;
    std::size_t input_count = 1;
    std::size_t chained_input = 0;  // input that the previous layer feeds; the others come from outside the chain
    Table options;                  // as written, not checked: the schema is in the manifest of that layer
};

// A file that a check creates in its folder.
struct CheckFile {
    std::string name;  // path below the working folder
    std::string text;
    std::vector<std::int64_t> picture;  // height, width, channels of a PNG file; empty: `text` is the file
};

// For a layer: a case on which `host check` compares kernels with the reference, a layer or a chain that begins with
// it. For other kinds: the options to check with, and the files that they name.
struct CheckCase {
    std::vector<sluice_tensor_spec> inputs;  // inputs from outside the chain, in its order
    Table options;
    std::vector<CheckLink> then;
    std::vector<CheckFile> files;
};

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
