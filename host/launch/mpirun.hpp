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
    struct End {
        int code = 0;
        int signal = 0;  // that has killed it; 0: none

        // "mpirun was killed by signal 9".
        [[nodiscard]] std::string text() const;
    };

    // The processes find the launcher at that address; they have this mask of signals. Throws Error(Exit::config) where
    // there is no mpirun, and Error(Exit::device) if a limit leaves too few threads.
    Mpirun(const Job& job, const Address& address, const sigset_t& mask);
    // Ends it.
    ~Mpirun();
    Mpirun(const Mpirun&) = delete;
    Mpirun& operator=(const Mpirun&) = delete;

    void signal(int number) const { ::kill(-pid_, number); }
    // How, once it has ended.
    const std::optional<End>& ended();

private:
    pid_t pid_ = -1;
    std::optional<End> ended_;
};

}  // namespace sluice::launch
