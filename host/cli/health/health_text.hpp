// Words the report that `host doctor` prints.
#pragma once

#include <string>

#include "cli/health/health.hpp"

namespace sluice::cli {

std::string to_text(const Health& health);
std::string to_json(const Health& health);

}  // namespace sluice::cli
