// mpirun, started by `host launch` as a process of its own.
#pragma once

#include <sys/types.h>

#include <chrono>
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
        std::chrono::steady_clock::time_point at{};

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

    // Asks it to end, or kills it if it was asked before. It ends its processes on other machines, stopped ones too.
    void stop();
    // How, once it has ended.
    const std::optional<End>& ended();
    // True if a signal ended it that the launcher did not send.
    [[nodiscard]] bool was_killed() const { return was_killed_; }

private:
    pid_t pid_ = -1;
    bool is_asked_ = false;  // to end
    bool was_killed_ = false;
    std::optional<End> ended_;
};

}  // namespace sluice::launch
