// A JSON schema of pipeline files, for editors: the host's own keys, and the options of all installed components.
#pragma once

#include <nlohmann/json.hpp>

#include "registry/loading/registry.hpp"

namespace sluice::cli {

// The schema is of draft 7, which editors' TOML extensions read. It requires no key of a table, because an included or
// including file may set it.
nlohmann::ordered_json pipeline_schema(const registry::Registry& registry);

}  // namespace sluice::cli
