// Compares the pipelines and the machines of runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/figures.hpp"

namespace sluice::compare {

struct SettingDifference {
    std::string key{};                                 // "data.train.map[2].size", "environment.host_name"
    std::vector<std::optional<std::string>> values{};  // as TOML, one for each run; nothing: the run has no such key
};

// Compares the resolved pipelines (resolved.toml) key by key, then the environments (environment.json). Layers and
// other items of lists are compared by place; those that are new in the middle of a list move the items after them.
// A file that is missing or damaged is reported as a difference by its name.
std::vector<SettingDifference> setting_differences(const Runs& runs);

}  // namespace sluice::compare
