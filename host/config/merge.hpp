// Puts one table over another, and knows what a change of `use` leaves behind.
#pragma once

#include <string>
#include <string_view>

#include "base/value.hpp"

namespace sluice::config {

// Tables merge key by key; anything else is replaced. `path` is where `base` stands in the pipeline ("data.train").
void merge_over(Table& base, Table over, const std::string& path = {});

// `table` is about to use another component: drops the keys that were written for the one before. Keys of the host
// itself (optimizer.rate) and keys given with --set stay.
void drop_component_keys(Table& table, std::string_view path);

// Whether `next` names another component than the key `use` of `table` does.
bool changes_component(const Table& table, const Value& next);

// "data" and "train" give "data.train"; "" and "data" give "data".
std::string join_path(std::string_view path, std::string_view key);

}  // namespace sluice::config
