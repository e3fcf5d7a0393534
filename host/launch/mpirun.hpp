// mpirun, started by `host launch` as a process of its own.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "launch/channel.hpp"
#include "launch/supervisor.hpp"

namespace sluice::launch {

class Mpirun {
public:
    // The processes find the launcher at that address; they have this mask of signals. Throws Error(Exit::config) where
    // there is no mpirun.
    Mpirun(const Job& job, const Address& address, const sigset_t& mask);
    // Ends it.
    ~Mpirun();
    Mpirun(const Mpirun&) = delete;
    Mpirun& operator=(const Mpirun&) = delete;

    void signal(int number) const { ::kill(-pid_, number); }
    // Its exit code, once it has ended.
    std::optional<int> ended();

private:
    pid_t pid_ = -1;
    std::optional<int> ended_;
};

}  // namespace sluice::launch
