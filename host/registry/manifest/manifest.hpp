// What a plugin says of itself, read from its file without loading it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/tensor.hpp"
#include "registry/manifest/schema.hpp"

namespace sluice::registry {

enum class Kind { device, layer, kernel, optimizer, source, transform, precision, strategy, observer };

std::string_view to_string(Kind kind);
using sluice::to_string;  // those of tensors, which the line above would hide

// A layer behind another one in a check's chain.
struct CheckLink {
    std::string type;
    Origin origin;
    std::size_t input_count = 1;
    std::size_t chained_input = 0;  // the input that the layer before it feeds; the others come from outside the chain
    Table options;                  // as written: the schema is that of the layer's own component
};

// A file that lies there while a check runs.
struct CheckFile {
    std::string name;  // below the working folder
    std::string text;
    std::vector<std::int64_t> picture;  // height, width, channels of a PNG file instead; empty: the text
};

// A case on which `host check` compares kernels with the oracle: a layer, or a chain that begins with it. Of another
// kind of component: options that it is checked with, and the files that they name.
struct CheckCase {
    std::vector<sluice_tensor_spec> inputs;  // that come from outside the chain, in its order
    Table options;
    std::vector<CheckLink> then;
    std::vector<CheckFile> files;
};

// What a transform says of itself: whether the same sample may come out otherwise in another epoch. A source: whether
// its samples depend on the run's seed.
enum class Drawing { unsaid, never, always, by_options };

// The key of create()'s options under which a source that sees others gets theirs.
inline constexpr std::string_view kOthers = "others";

struct ComponentManifest {
    Kind kind = Kind::layer;
    std::string id;
    std::string provides;
    std::string about;
    std::string device;  // kernels and optimizers: the kind of device; empty: any
    Schema options;
    std::vector<CheckCase> checks;
    Drawing drawing = Drawing::unsaid;
    std::vector<std::string> drawing_options{};  // by_options: it draws where one of these is given
    bool sees_others = false;                    // sources: are told the options of those beside them, as kOthers
    std::vector<std::string> known_options{};    // kernels: later options of layers that they know, "conv2d.groups"
    std::vector<std::string> unread{};           // mistakes that are passed over, each in a sentence with its place
};

struct PluginManifest {
    std::string id;
    std::string version;
    std::string about;
    std::string abi;   // "1.0"
    std::string arch;  // "x86_64"
    std::vector<ComponentManifest> components;
    std::vector<std::string> unknown_components;  // ids of components that this host does not know
    std::vector<std::string> unread;              // as that of a component
};

// Of one with these options, as they are written in the pipeline; never by_options.
[[nodiscard]] Drawing drawing_of(const ComponentManifest& component, const Table& options);

// `name` stands for it in messages. Throws Error(Exit::plugin) with the line, what was found and what would be right.
PluginManifest parse_manifest(std::string_view text, const std::string& name);

// Checks that `file` is a whole ELF library for this machine with the plugin's symbol and a manifest, and parses it.
// Runs no code of it. Throws Error(Exit::plugin) with the file, what was found and what would be right.
PluginManifest read_manifest(const std::filesystem::path& file);

}  // namespace sluice::registry
