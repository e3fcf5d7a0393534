// Holds what a user asks `host launch` to do.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sluice::launch {

struct LaunchRequest {
    int processes = 1;
    std::vector<std::string> command;         // command line of each process
    std::vector<std::string> mpirun_options;  // such as {"--hostfile", "nodes"}
    std::optional<double> timeout;            // seconds for processes to join; nothing: the defaults of Rendezvous
};

}  // namespace sluice::launch
