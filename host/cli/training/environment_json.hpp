// The text of environment.json: versions, machine and start time of a run. Checkpoints contain none of it.
#pragma once

#include <string>

namespace sluice::cli {

std::string environment_json();

}  // namespace sluice::cli
