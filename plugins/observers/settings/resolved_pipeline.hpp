// The pipeline of a run, read from resolved.toml in the run's folder.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sluice::observers {

struct ResolvedPipeline {
    std::string text;               // empty: there is no such file
    nlohmann::ordered_json values;  // the same as an object
};

// Throws if the file cannot be read or parsed.
ResolvedPipeline read_resolved(const std::filesystem::path& folder);

// Returns the values that people compare between runs, with dotted names: seed, data.batch, and the plain values of the
// tables train, optimizer, schedule, precision and strategy.
std::vector<std::pair<std::string, nlohmann::ordered_json>> compared_values(const nlohmann::ordered_json& pipeline);

}  // namespace sluice::observers
