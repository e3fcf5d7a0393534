// Converts `[[component.check]]` of a manifest to a CheckCase.
#include "registry/manifest/check_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/error.hpp"
#include "base/tensor.hpp"
#include "registry/manifest/manifest_text.hpp"
#include "registry/manifest/schema_check.hpp"

namespace sluice::registry {
namespace {

sluice_dtype parse_dtype(const Value& value) {
    for (const sluice_dtype dtype : {kUint8, kInt32, kInt64, kFloat32, kFloat64}) {
        if (value.as_string() != nullptr && *value.as_string() == to_string(dtype)) {
            return dtype;
        }
    }
    refuse_manifest(
        to_string(value.origin),
        fmt::format("dtype of a check is {}; uint8, int32, int64, float32 or float64 is needed", to_toml(value)));
}

sluice_tensor_spec parse_shape(const Value& value, sluice_dtype dtype) {
    std::vector<std::int64_t> shape;
    const Array* extents = value.as_array();
    if (extents == nullptr || extents->size() > SLUICE_MAX_RANK) {
        refuse_manifest(
            to_string(value.origin),
            fmt::format("a shape of a check is {}; an array of at most 8 integers is needed", to_toml(value)));
    }
    for (const Value& extent : *extents) {
        if (extent.as_int() == nullptr || *extent.as_int() < 1) {
            refuse_manifest(to_string(value.origin),
                            fmt::format("a shape of a check is {}; integers >= 1 are needed", to_toml(value)));
        }
        shape.push_back(*extent.as_int());
    }
    return make_spec(dtype, shape);
}

CheckLink parse_link(const Value& value) {
    const Table* table = value.as_table();
    const std::string where = to_string(value.origin);
    if (table == nullptr) {
        refuse_manifest(where, "a layer in 'then' of a check must be a table: { type = \"relu\" }");
    }
    CheckLink link{.type = read_text(*table, "type", where, true), .origin = value.origin, .options = {}};
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
            refuse_manifest(
                where,
                fmt::format(
                    "inputs of a layer in 'then' are {}; an array of names with exactly one \"previous\" is needed",
                    to_toml(*inputs)));
        }
        link.input_count = names->size();
        link.chained_input = static_cast<std::size_t>(std::ranges::find_if(*names, is_previous) - names->begin());
    }
    return link;
}

std::vector<CheckLink> parse_then(const Value& value) {
    if (value.as_array() == nullptr) {
        refuse_manifest(to_string(value.origin),
                        fmt::format("then of a check is {}; an array of layers is needed", to_toml(value)));
    }
    std::vector<CheckLink> links;
    std::ranges::transform(*value.as_array(), std::back_inserter(links), parse_link);
    return links;
}

// "a.png" = [height, width] or [height, width, channels], or a text.
CheckFile parse_file(const std::string& name, const Value& value) {
    const std::filesystem::path path(name);
    if (path.empty() || path.is_absolute() || std::ranges::count(path, "..") > 0) {
        refuse_manifest(to_string(value.origin),
                        fmt::format("the file '{}' of a check lies outside of the check's folder", name));
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
        refuse_manifest(
            to_string(value.origin),
            fmt::format("the file '{}' of a check is {}; a text, [height, width] of a picture, or [height, width, 1] "
                        "of a grey picture is needed",
                        name, to_toml(value)));
    }
    return file;
}

void parse_shapes(const Table& table, const Value& value, CheckCase& check) {
    const Value* shapes = table.find("inputs");
    if (shapes == nullptr || shapes->as_array() == nullptr) {
        refuse_manifest(to_string(value.origin), "a check of a layer needs 'inputs', an array of shapes");
    }
    const Value* dtypes = table.find("dtypes");
    const Array* names = dtypes == nullptr ? nullptr : dtypes->as_array();
    if (dtypes != nullptr && (names == nullptr || names->size() != shapes->as_array()->size())) {
        refuse_manifest(to_string(dtypes->origin),
                        "dtypes of a check: an array with one name for each input is needed");
    }
    for (std::size_t i = 0; i < shapes->as_array()->size(); ++i) {
        const sluice_dtype dtype = names == nullptr ? kFloat32 : parse_dtype((*names)[i]);
        check.inputs.push_back(parse_shape((*shapes->as_array())[i], dtype));
    }
    if (const Value* then = table.find("then")) {
        check.then = parse_then(*then);
    }
}

}  // namespace

CheckCase parse_check(const Value& value, Kind kind, const Schema& schema) {
    const Table* table = value.as_table();
    if (table == nullptr) {
        refuse_manifest(to_string(value.origin), "checks must be an array of tables: [[component.check]]");
    }
    CheckCase check;
    if (kind == Kind::layer) {
        parse_shapes(*table, value, check);
    }
    if (const Value* files = table->find("files")) {
        if (files->as_table() == nullptr) {
            refuse_manifest(to_string(files->origin),
                            "files of a check must be a table: { \"list.csv\" = \"text\", \"a.png\" = [24, 32] }");
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

}  // namespace sluice::registry
