// The options that a component takes, as its manifest publishes them, and the check of a table against them.
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
    std::string since;  // the version that added it; empty: the first. It has a default, under which all is as before
};

using Schema = std::vector<OptionSchema>;

// Reads `[component.options]` of a manifest. Throws Error(Exit::plugin) naming the manifest's line.
Schema parse_schema(const Table& options);

// `given` with every default filled in, in the schema's order. A wrong key, type, size, range or choice throws
// Error(Exit::config) with its place, the nearest right key, and `owner` ("layer 'conv2d'") in the message; `where` is
// the place of the table itself, for a missing key.
Table complete(const Schema& schema, const Table& given, const std::string& owner, const Origin& where);

// One line a option: "filters  int >= 1           output channels; ..." for `host plugins show`.
std::string describe(const Schema& schema);

}  // namespace sluice::registry
