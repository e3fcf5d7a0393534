// The text of environment.json: versions, machine, processes and start time of a run. Checkpoints contain none of it.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::cli {

std::string environment_json(std::uint32_t processes, std::uint32_t replicas);

}  // namespace sluice::cli
