// The schema of a component's options from its manifest, and the check of a table against it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/value.hpp"

namespace sluice::registry {

struct OptionSchema {
    enum class Type { boolean, integer, number, string };
    std::string name;
    Type type = Type::string;
    bool is_array = false;
    std::int64_t array_size = 0;  // 0: any
    bool required = false;
    std::optional<Value> default_value;
    std::optional<double> min;
    std::optional<double> max;
    std::vector<Value> choices;
    std::string unit;
    std::string help;
    std::string since;  // version that added the option, whose default then keeps the old behaviour; empty: the first
};

using Schema = std::vector<OptionSchema>;

// Reads `[component.options]` of a manifest. Throws Error(Exit::plugin) that names the manifest's line.
Schema parse_schema(const Table& options);

// Returns `given` with every default filled in, in the schema's order. Throws Error(Exit::config) for a wrong key,
// type, size, range or choice, with its place, the nearest known key and `owner` ("layer 'conv2d'"). `where` is the
// place of the table, for messages about a missing key.
Table complete(const Schema& schema, const Table& given, const std::string& owner, const Origin& where);

// One line per option: "filters  int >= 1           output channels; ..." for `host plugins show`.
std::string describe(const Schema& schema);

}  // namespace sluice::registry
