// All processes of a job, by rank. Private to this folder.
#pragma once

#include <poll.h>

#include <cstddef>
#include <string>
#include <vector>

#include "launch/messages.hpp"
#include "launch/process.hpp"

namespace sluice::launch {

class Processes {
public:
    explicit Processes(std::size_t count) : all_(count) {}

    [[nodiscard]] std::size_t size() const { return all_.size(); }
    [[nodiscard]] Process& operator[](std::size_t rank) { return all_[rank]; }
    [[nodiscard]] const Process& operator[](std::size_t rank) const { return all_[rank]; }

    [[nodiscard]] bool is_any_living() const;
    [[nodiscard]] bool is_any_here() const;
    [[nodiscard]] bool have_all_left() const;
    // True if all have exited with code 0.
    [[nodiscard]] bool are_all_done() const;
    // Rank of the first process that lives; size() if none does.
    [[nodiscard]] std::size_t first_living() const;
    // Ranks that live but have sent no heartbeat since then.
    [[nodiscard]] std::vector<std::size_t> silent_since(Clock::time_point then) const;

    // From `now` on, all have the whole time to send the next heartbeat.
    void excuse_silence(Clock::time_point now);

    void add_sockets(std::vector<pollfd>& waits) const;
    // Sends the message to all processes that live.
    void send(const LauncherMessage& message) const;
    // Kills the processes on this machine.
    void kill_here() const;

private:
    std::vector<Process> all_;
};

}  // namespace sluice::launch
