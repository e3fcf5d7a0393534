// The TOML text of a manifest to a PluginManifest. A component of a kind that this host does not know is passed over,
// so that a plugin that also serves a newer host still loads; of one that was built for a newer minor, any that this
// host does not understand.
#include "registry/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "base/error.hpp"
#include "base/toml.hpp"
#include "registry/elf.hpp"
#include "sluice/abi.h"

namespace sluice::registry {
namespace {

constexpr std::array<std::string_view, 9> kKinds = {"device",    "layer",     "kernel",   "optimizer", "source",
                                                    "transform", "precision", "strategy", "observer"};

[[noreturn]] void fail(const std::string& where, const std::string& why) {
    throw Error(Exit::plugin, where + ": " + why);
}

std::optional<Kind> kind_of(std::string_view name) {
    const auto at = std::find(kKinds.begin(), kKinds.end(), name);
    return at == kKinds.end() ? std::nullopt : std::optional(static_cast<Kind>(at - kKinds.begin()));
}

// A text of `table`; `where` stands for the table in messages. Empty where it may be absent and is.
std::string text(const Table& table, const char* key, const std::string& where, bool needed) {
    const Value* value = table.find(key);
    if (value == nullptr) {
        if (needed) {
            fail(where, fmt::format("'{}' is missing", key));
        }
        return {};
    }
    if (value->as_string() == nullptr || (needed && value->as_string()->empty())) {
        fail(to_string(value->origin), fmt::format("{} is {}; a text is needed", key, to_toml(*value)));
    }
    if (std::ranges::any_of(*value->as_string(), [](char c) { return (c >= 0 && c < ' ') || c == 127; })) {
        fail(to_string(value->origin), fmt::format("{} has a control character; a text of one line is needed", key));
    }
    return *value->as_string();
}

// Before anything else is understood: another major may have changed everything. Returns the minor.
unsigned check_abi(const Table& manifest, const std::string& name) {
    const std::string abi = text(manifest, "abi", name, true);
    unsigned major = 0;
    unsigned minor = 0;
    const char* const past = abi.data() + abi.size();
    std::from_chars_result read = std::from_chars(abi.data(), past, major);
    if (read.ec == std::errc() && read.ptr != past && *read.ptr == '.') {
        read = std::from_chars(read.ptr + 1, past, minor);
    }
    if (read.ec != std::errc() || read.ptr != past) {
        fail(name, fmt::format("abi is \"{}\"; a version such as \"1.0\" is needed", abi));
    }
    if (major != SLUICE_ABI_MAJOR) {
        fail(name, fmt::format("built for ABI {}; this host speaks {}.x", abi, SLUICE_ABI_MAJOR));
    }
    return minor;
}

sluice_dtype parse_dtype(const Value& value) {
    for (const sluice_dtype dtype : {kUint8, kInt32, kInt64, kFloat32, kFloat64}) {
        if (value.as_string() != nullptr && *value.as_string() == to_string(dtype)) {
            return dtype;
        }
    }
    fail(to_string(value.origin),
         fmt::format("dtype {} of a check; one of: uint8, int32, int64, float32, float64", to_toml(value)));
}

sluice_tensor_spec parse_shape(const Value& value, sluice_dtype dtype) {
    std::vector<std::int64_t> shape;
    const Array* extents = value.as_array();
    if (extents == nullptr || extents->size() > SLUICE_MAX_RANK) {
        fail(to_string(value.origin), fmt::format("a shape of a check is {}; at most 8 integers", to_toml(value)));
    }
    for (const Value& extent : *extents) {
        if (extent.as_int() == nullptr || *extent.as_int() < 1) {
            fail(to_string(value.origin), fmt::format("a shape of a check is {}; integers >= 1", to_toml(value)));
        }
        shape.push_back(*extent.as_int());
    }
    return make_spec(dtype, shape);
}

CheckLink parse_link(const Value& value) {
    const Table* table = value.as_table();
    const std::string where = to_string(value.origin);
    if (table == nullptr) {
        fail(where, "a layer in 'then' of a check is a table: { type = \"relu\" }");
    }
    CheckLink link{.type = text(*table, "type", where, true), .origin = value.origin, .options = {}};
    for (const auto& [key, option] : table->entries()) {
        if (key != "type" && key != "inputs") {
            link.options.set(key, option);
        }
    }
    if (const Value* inputs = table->find("inputs")) {
        const auto is_previous = [](const Value& name) {
            return name.as_string() != nullptr && *name.as_string() == "previous";
        };
        const Array* names = inputs->as_array();
        if (names == nullptr || std::ranges::count_if(*names, is_previous) != 1) {
            fail(where, fmt::format("inputs of a layer in 'then' are {}; an array of names, one of them \"previous\"",
                                    to_toml(*inputs)));
        }
        link.input_count = names->size();
        link.chained_input = static_cast<std::size_t>(std::ranges::find_if(*names, is_previous) - names->begin());
    }
    return link;
}

std::vector<CheckLink> parse_then(const Value& value) {
    if (value.as_array() == nullptr) {
        fail(to_string(value.origin), fmt::format("then of a check is {}; an array of layers", to_toml(value)));
    }
    std::vector<CheckLink> links;
    std::ranges::transform(*value.as_array(), std::back_inserter(links), parse_link);
    return links;
}

// "a.png" = [height, width] or [height, width, channels], or a text.
CheckFile parse_file(const std::string& name, const Value& value) {
    const std::filesystem::path path(name);
    if (path.empty() || path.is_absolute() || std::ranges::count(path, "..") > 0) {
        fail(to_string(value.origin),
             fmt::format("the file '{}' of a check is not below the folder of the check", name));
    }
    CheckFile file{.name = name, .text = {}, .picture = {}};
    if (value.as_string() != nullptr) {
        file.text = *value.as_string();
        return file;
    }
    for (const Value& extent : value.as_array() != nullptr ? *value.as_array() : Array()) {
        file.picture.push_back(extent.as_int() != nullptr ? *extent.as_int() : 0);
    }
    if (file.picture.size() == 2) {
        file.picture.push_back(3);
    }
    if (file.picture.size() != 3 || std::ranges::any_of(file.picture, [](auto n) { return n < 1 || n > 4096; }) ||
        (file.picture[2] != 1 && file.picture[2] != 3)) {
        fail(to_string(value.origin),
             fmt::format(
                 "the file '{}' of a check is {}; a text, or [height, width] of a picture, or [height, width, 1] "
                 "where it is grey",
                 name, to_toml(value)));
    }
    return file;
}

void parse_shapes(const Table& table, const Value& value, CheckCase& check) {
    const Value* shapes = table.find("inputs");
    if (shapes == nullptr || shapes->as_array() == nullptr) {
        fail(to_string(value.origin), "a check of a layer needs 'inputs', an array of shapes");
    }
    const Value* dtypes = table.find("dtypes");
    const Array* names = dtypes == nullptr ? nullptr : dtypes->as_array();
    if (dtypes != nullptr && (names == nullptr || names->size() != shapes->as_array()->size())) {
        fail(to_string(dtypes->origin), "dtypes of a check: an array with one name for each input is needed");
    }
    for (std::size_t i = 0; i < shapes->as_array()->size(); ++i) {
        const sluice_dtype dtype = names == nullptr ? kFloat32 : parse_dtype((*names)[i]);
        check.inputs.push_back(parse_shape((*shapes->as_array())[i], dtype));
    }
    if (const Value* then = table.find("then")) {
        check.then = parse_then(*then);
    }
}

CheckCase parse_check(const Value& value, Kind kind, const Schema& schema) {
    const Table* table = value.as_table();
    if (table == nullptr) {
        fail(to_string(value.origin), "checks are an array of tables: [[component.check]]");
    }
    CheckCase check;
    if (kind == Kind::layer) {
        parse_shapes(*table, value, check);
    }
    if (const Value* files = table->find("files")) {
        if (files->as_table() == nullptr) {
            fail(to_string(files->origin),
                 "files of a check are a table: { \"list.csv\" = \"text\", \"a.png\" = [24, 32] }");
        }
        for (const auto& [name, file] : files->as_table()->entries()) {
            check.files.push_back(parse_file(name, file));
        }
    }
    const Value* options = table->find("options");
    const Table given = options != nullptr && options->as_table() != nullptr ? *options->as_table() : Table();
    try {
        check.options = complete(schema, given, "a check", value.origin);
    } catch (const Error& wrong) {
        throw Error(Exit::plugin, wrong.what());
    }
    return check;
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
        fail(to_string(value.origin), fmt::format("draws is {}; true, false, or an array of names of options of the "
                                                  "component is needed",
                                                  to_toml(value)));
    }
    component.drawing = Drawing::by_options;
    std::ranges::transform(*names, std::back_inserter(component.drawing_options),
                           [](const Value& name) { return *name.as_string(); });
}

void parse_knows(const Value& value, ComponentManifest& component) {
    const auto is_option = [](const Value& name) {
        const std::string* text = name.as_string();
        return text != nullptr && text->find('.') > 0 && text->find('.') + 1 < text->size();
    };
    const Array* names = value.as_array();
    if (component.kind != Kind::kernel || names == nullptr || !std::ranges::all_of(*names, is_option)) {
        fail(to_string(value.origin),
             fmt::format("knows is {}; an array of options of layers that were added later, such "
                         "as [\"conv2d.groups\"], is right, and of kernels alone",
                         to_toml(value)));
    }
    std::ranges::transform(*names, std::back_inserter(component.known_options),
                           [](const Value& name) { return *name.as_string(); });
}

ComponentManifest parse_component(const Table& table, Kind kind, const std::string& where) {
    ComponentManifest component;
    component.kind = kind;
    component.id = text(table, "id", where, true);
    component.provides = text(table, "provides", where, true);
    component.about = text(table, "about", where, false);
    // Code for one kind of device would crash on memory of another.
    component.device = text(table, "device", where, kind == Kind::kernel || kind == Kind::optimizer);
    if (const Value* options = table.find("options")) {
        if (options->as_table() == nullptr) {
            fail(to_string(options->origin), "options are a table");
        }
        component.options = parse_schema(*options->as_table());
    }
    if (const Value* draws = table.find("draws")) {
        parse_draws(*draws, component);
    }
    if (const Value* knows = table.find("knows")) {
        parse_knows(*knows, component);
    }
    if (const Value* checks = table.find("check")) {
        if (checks->as_array() == nullptr) {
            fail(to_string(checks->origin), "checks are an array of tables: [[component.check]]");
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
        fail(where, "a component is a table: [[component]]");
    }
    const std::string id = text(*table, "id", where, true);
    const auto same_id = [&](const ComponentManifest& other) { return other.id == id; };
    if (std::ranges::any_of(manifest.components, same_id) || std::ranges::count(manifest.unknown_components, id) > 0) {
        fail(where, fmt::format("component id '{}' is there twice", id));
    }
    const std::optional<Kind> kind = kind_of(text(*table, "kind", where, true));
    if (!kind) {
        manifest.unknown_components.push_back(id);
        return;
    }
    try {
        manifest.components.push_back(parse_component(*table, *kind, where));
    } catch (const Error&) {
        if (!is_newer) {
            throw;
        }
        manifest.unknown_components.push_back(id);
    }
}

PluginManifest parse_manifest(const Table& table, const std::string& name) {
    const bool is_newer = check_abi(table, name) > SLUICE_ABI_MINOR;
    PluginManifest manifest;
    manifest.id = text(table, "id", name, true);
    manifest.version = text(table, "version", name, true);
    manifest.about = text(table, "about", name, false);
    manifest.abi = text(table, "abi", name, true);
    manifest.arch = text(table, "arch", name, false);
    const Value* components = table.find("component");
    if (components == nullptr || components->as_array() == nullptr || components->as_array()->empty()) {
        fail(name, "the manifest has no [[component]]");
    }
    for (const Value& component : *components->as_array()) {
        add_component(manifest, component, is_newer);
    }
    return manifest;
}

}  // namespace

std::string_view to_string(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

Drawing drawing_of(const ComponentManifest& component, const Table& options) {
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
