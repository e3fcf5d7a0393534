// What the page on pipelines says of each key, for the schema: the tables of host/docs/pipeline.md are the one place.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace sluice::cli {

// The rows "| `key` | default | what it does |" of a page's tables, by key. A key of the table on entries of `layers`
// has `model.layers.*.` before it.
std::map<std::string, std::string> describe_keys(std::string_view page);

}  // namespace sluice::cli
