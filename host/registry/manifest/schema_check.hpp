// Checks the options of a pipeline file against a schema and fills in the defaults, or throws one clear message.
#pragma once

#include <string>

#include "base/value.hpp"
#include "registry/manifest/schema.hpp"

namespace sluice::registry {

// Returns `given` if it fits; an integer is converted if the option is a float. Throws Error(Exit::config).
Value check_option(const OptionSchema& option, const Value& given, const std::string& owner);

// Returns `given` with every default filled in, in the schema's order. Throws Error(Exit::config) for a wrong key,
// type, size, range or choice, with its place, the nearest known key and `owner` ("layer 'conv2d'"). `where` is the
// place of the table, for messages about a missing key.
Table complete(const Schema& schema, const Table& given, const std::string& owner, const Origin& where);

}  // namespace sluice::registry
