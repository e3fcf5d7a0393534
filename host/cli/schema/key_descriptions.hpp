// Reads the description of each key, for the schema, from its only source: the tables of host/docs/pipeline.md.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace sluice::cli {

// Returns the third cell of each row "| `key` | default | what it does |" by key. Keys of entries of `layers` get the
// prefix `model.layers.*.`.
std::map<std::string, std::string> describe_keys(std::string_view page);

}  // namespace sluice::cli
