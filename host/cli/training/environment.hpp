// What a run was made with: versions, machine, time. For environment.json; nothing of it enters a checkpoint.
#pragma once

#include <string>

namespace sluice::cli {

std::string environment_json();

}  // namespace sluice::cli
