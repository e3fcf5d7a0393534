// A JSON schema of pipeline files, for editors: the host's own keys, and the options of all components at hand.
#pragma once

#include <nlohmann/json.hpp>

#include "registry/loading/registry.hpp"

namespace sluice::cli {

// Draft 7, which editors' TOML extensions read. Of tables nothing is required: another file that is included, or that
// includes this one, may have it.
nlohmann::ordered_json pipeline_schema(const registry::Registry& registry);

}  // namespace sluice::cli
