// Merges configuration tables, and drops the options of a component if `use` changes.
#pragma once

#include <string>
#include <string_view>

#include "base/value.hpp"

namespace sluice::config {

// Tables merge key by key; anything else is replaced. `path` is the path of `base` in the pipeline ("data.train").
void merge_over(Table& base, Table over, const std::string& path = {});

// Call this before `table` uses another component: drops the options of the previous one. Keys of the host
// (optimizer.rate) and keys given with --set stay.
void drop_component_keys(Table& table, std::string_view path);

// True if `next` names another component than the key `use` of `table`.
bool changes_component(const Table& table, const Value& next);

// Joins "data" and "train" to "data.train"; "" and "data" to "data".
std::string join_path(std::string_view path, std::string_view key);

}  // namespace sluice::config
