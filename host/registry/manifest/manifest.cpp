// Parses the TOML text of a manifest. A component of an unknown kind is ignored, so that a plugin that also serves a
// newer host still loads. If the plugin was built for a newer minor ABI, any component that fails to parse is ignored.
#include "registry/manifest/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "base/error.hpp"
#include "base/toml/toml.hpp"
#include "registry/manifest/check_case.hpp"
#include "registry/manifest/manifest_keys.hpp"
#include "registry/manifest/manifest_section.hpp"
#include "registry/manifest/manifest_text.hpp"
#include "registry/manifest/parse_schema.hpp"
#include "registry/manifest/version.hpp"
#include "sluice/abi.h"

namespace sluice::registry {
namespace {

std::optional<Kind> kind_of(std::string_view name) {
    const auto at = std::find(kKindNames.begin(), kKindNames.end(), name);
    return at == kKindNames.end() ? std::nullopt : std::optional(static_cast<Kind>(at - kKindNames.begin()));
}

// Must run first, because another major version may have changed everything. Returns the minor version.
unsigned check_abi(const Table& manifest, const std::string& name) {
    const std::string abi = read_text(manifest, "abi", name, true);
    unsigned major = 0;
    unsigned minor = 0;
    const char* const text_end = abi.data() + abi.size();
    std::from_chars_result read = std::from_chars(abi.data(), text_end, major);
    if (read.ec == std::errc() && read.ptr != text_end && *read.ptr == '.') {
        read = std::from_chars(read.ptr + 1, text_end, minor);
    }
    if (read.ec != std::errc() || read.ptr != text_end) {
        refuse_manifest(name, fmt::format("abi is \"{}\"; a version such as \"1.0\" is needed", abi));
    }
    if (major != SLUICE_ABI_MAJOR) {
        refuse_manifest(name, fmt::format("built for ABI {}; this host supports {}.x", abi, SLUICE_ABI_MAJOR));
    }
    return minor;
}

std::string read_version(const Table& manifest, const std::string& name) {
    std::string version = read_text(manifest, "version", name, true);
    if (!is_version(version)) {
        const Value& value = *manifest.find("version");
        refuse_manifest(to_string(value.origin), fmt::format("version is {}; {}", to_toml(value), kVersionRule));
    }
    return version;
}

void parse_draws(const Value& value, ComponentManifest& component) {
    if (const bool* draws = value.as_bool()) {
        component.drawing = *draws ? Drawing::always : Drawing::never;
        return;
    }
    const auto is_option = [&](const Value& name) {
        return name.as_string() != nullptr &&
               std::ranges::find(component.options, *name.as_string(), &OptionSchema::name) != component.options.end();
    };
    const Array* names = value.as_array();
    if (names == nullptr || names->empty() || !std::ranges::all_of(*names, is_option)) {
        refuse_manifest(to_string(value.origin),
                        fmt::format("draws is {}; true, false, or an array of names of options of the "
                                    "component is needed",
                                    to_toml(value)));
    }
    component.drawing = Drawing::by_options;
    std::ranges::transform(*names, std::back_inserter(component.drawing_options),
                           [](const Value& name) { return *name.as_string(); });
}

void parse_sees_others(const Value& value, ComponentManifest& component) {
    const bool* sees = value.as_bool();
    if (component.kind != Kind::source || sees == nullptr) {
        refuse_manifest(
            to_string(value.origin),
            fmt::format("sees_others is {}; true or false is needed, and only for a source", to_toml(value)));
    }
    component.sees_others = *sees;
    if (*sees && std::ranges::find(component.options, kOthers, &OptionSchema::name) != component.options.end()) {
        refuse_manifest(to_string(value.origin),
                        fmt::format("the source has an option '{}', but sees_others uses this name for the options of "
                                    "other sources; rename the option",
                                    kOthers));
    }
}

void parse_knows(const Value& value, ComponentManifest& component) {
    const auto is_option = [](const Value& name) {
        const std::string* text = name.as_string();
        const std::size_t dot = text == nullptr ? std::string::npos : text->find('.');
        return dot != std::string::npos && is_name(text->substr(0, dot)) && is_name(text->substr(dot + 1));
    };
    const Array* names = value.as_array();
    if (component.kind != Kind::kernel || names == nullptr || !std::ranges::all_of(*names, is_option)) {
        refuse_manifest(to_string(value.origin),
                        fmt::format("knows is {}; an array of layer options that were added later, such as "
                                    "[\"conv2d.groups\"], is needed, and only for a kernel",
                                    to_toml(value)));
    }
    std::ranges::transform(*names, std::back_inserter(component.known_options),
                           [](const Value& name) { return *name.as_string(); });
}

ComponentManifest parse_component(const Table& table, Kind kind, const std::string& where) {
    ComponentManifest component;
    component.kind = kind;
    component.id = read_id(table, where);
    component.provides = read_name(table, "provides", where, true);
    component.about = read_text(table, "about", where, false);
    // Kernels and optimizers must name a device, because their code would crash on memory of another kind of device.
    component.device = read_name(table, "device", where, kind == Kind::kernel || kind == Kind::optimizer);
    if (const Value* options = table.find("options")) {
        if (options->as_table() == nullptr) {
            refuse_manifest(to_string(options->origin), "options must be a table");
        }
        component.options = parse_schema(*options->as_table());
        for (const auto& [option, value] : options->as_table()->entries()) {
            if (is_host_key(to_string(kind), option)) {
                refuse_manifest(to_string(value.origin),
                                fmt::format("option '{}' could never be given: Sluice itself reads the key '{}' where "
                                            "a pipeline chooses a component of kind {}; another name is needed",
                                            option, option, to_string(kind)));
            }
        }
    }
    if (const Value* draws = table.find("draws")) {
        parse_draws(*draws, component);
    }
    if (const Value* sees = table.find("sees_others")) {
        parse_sees_others(*sees, component);
    }
    if (const Value* knows = table.find("knows")) {
        parse_knows(*knows, component);
    }
    if (const Value* checks = table.find("check")) {
        if (checks->as_array() == nullptr) {
            refuse_manifest(to_string(checks->origin), "checks must be an array of tables: [[component.check]]");
        }
        for (const Value& check : *checks->as_array()) {
            component.checks.push_back(parse_check(check, kind, component.options));
        }
    }
    return component;
}

void add_component(PluginManifest& manifest, const Value& value, bool is_newer) {
    const std::string where = to_string(value.origin);
    const Table* table = value.as_table();
    if (table == nullptr) {
        refuse_manifest(where, "a component must be a table: [[component]]");
    }
    const std::string id = read_id(*table, where);
    const auto same_id = [&](const ComponentManifest& other) { return other.id == id; };
    if (std::ranges::any_of(manifest.components, same_id) || std::ranges::count(manifest.unknown_components, id) > 0) {
        refuse_manifest(where, fmt::format("component id '{}' appears twice", id));
    }
    const std::optional<Kind> kind = kind_of(read_text(*table, "kind", where, true));
    if (!kind) {
        manifest.unknown_components.push_back(id);
        return;
    }
    try {
        ComponentManifest component = parse_component(*table, *kind, where);
        if (!is_newer) {
            component.unread = unread_of_component(*table);
        }
        manifest.components.push_back(std::move(component));
    } catch (const Error&) {
        if (!is_newer) {
            throw;
        }
        manifest.unknown_components.push_back(id);
    }
}

PluginManifest parse_manifest(const Table& table, const std::string& name) {
    const bool is_newer = check_abi(table, name) > SLUICE_ABI_MINOR;
    expect_plain_keys(table);
    PluginManifest manifest;
    manifest.id = read_id(table, name);
    manifest.version = read_version(table, name);
    manifest.about = read_text(table, "about", name, false);
    manifest.abi = read_text(table, "abi", name, true);
    manifest.arch = read_text(table, "arch", name, false);
    const Value* components = table.find("component");
    if (components == nullptr || components->as_array() == nullptr || components->as_array()->empty()) {
        refuse_manifest(name, "the manifest has no [[component]]");
    }
    for (const Value& component : *components->as_array()) {
        add_component(manifest, component, is_newer);
    }
    if (!is_newer) {
        manifest.unread = unread_of_plugin(table, kKindNames);
    }
    return manifest;
}

}  // namespace

Drawing randomness_of(const ComponentManifest& component, const Table& options) {
    if (component.drawing != Drawing::by_options) {
        return component.drawing;
    }
    const auto is_given = [&](const std::string& name) { return options.find(name) != nullptr; };
    return std::ranges::any_of(component.drawing_options, is_given) ? Drawing::always : Drawing::never;
}

PluginManifest parse_manifest(std::string_view text, const std::string& name) {
    Table table;
    try {
        table = parse_toml(text, name);
    } catch (const Error& wrong) {
        throw Error(Exit::plugin, wrong.what());
    }
    return parse_manifest(table, name);
}

PluginManifest read_manifest(const std::filesystem::path& file) {
    return parse_manifest(read_manifest_section(file), file.string() + ": manifest");
}

}  // namespace sluice::registry
