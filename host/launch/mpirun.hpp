// mpirun as a child process of `host launch`.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "launch/channel.hpp"
#include "launch/launch_request.hpp"

namespace sluice::launch {

class Mpirun {
public:
    struct End {
        int code = 0;
        int signal = 0;  // that killed it; 0: none
        std::chrono::steady_clock::time_point at{};

        // "mpirun was killed by signal 9".
        [[nodiscard]] std::string text() const;
    };

    // Starts mpirun with signal mask `mask`. The processes connect to `address`. Throws Error(Exit::config) if
    // mpirun is not installed, and Error(Exit::device) if a limit leaves too few threads.
    Mpirun(const LaunchRequest& request, const Address& address, const sigset_t& mask);
    // Kills mpirun if it still runs.
    ~Mpirun();
    Mpirun(const Mpirun&) = delete;
    Mpirun& operator=(const Mpirun&) = delete;

    // Sends SIGTERM, and SIGKILL if called again. On SIGTERM mpirun kills its processes on other machines, also those
    // that SIGSTOP has suspended.
    void stop();
    // Returns how mpirun exited; nothing while it runs.
    const std::optional<End>& ended();
    // True if a signal killed it that the launcher did not send.
    [[nodiscard]] bool was_killed() const { return was_killed_; }

private:
    pid_t pid_ = -1;
    bool is_asked_ = false;  // stop() was called
    bool was_killed_ = false;
    std::optional<End> ended_;
};

}  // namespace sluice::launch
