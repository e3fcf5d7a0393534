// All that determines the bytes of a preparation. A folder is only continued if it is the same.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "config/spec.hpp"
#include "prepare/request.hpp"
#include "prepare/shard_layout.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::prepare {

// Returns what was asked for, and what was found in the data. Each shard stores it.
nlohmann::ordered_json preparation_inputs(const Request& request, const ShardLayout& layout,
                                          const std::string& probe_sha256, std::span<const double> weights);

// Fingerprints of data and code, which could give other bytes for the same inputs. Only the manifest of the folder has
// them, not the shards.
nlohmann::ordered_json preparation_identity(const config::StreamSpec& made, const registry::Registry& registry);

}  // namespace sluice::prepare
