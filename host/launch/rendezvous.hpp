// Where the processes of a job join the launcher. Private to this folder.
#pragma once

#include <poll.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "launch/channel.hpp"
#include "launch/process.hpp"
#include "launch/processes.hpp"

namespace sluice::launch {

class Rendezvous {
public:
    // `timeout`: seconds for the first process, and then for the others; nothing: as long as is usual.
    explicit Rendezvous(std::optional<double> timeout) : timeout_(timeout) {}

    [[nodiscard]] const Address& address() const { return listener_.address(); }
    void add_sockets(std::vector<pollfd>& waits) const;
    // Enters the processes that have connected and said who they are; returns their ranks.
    std::vector<std::size_t> admit(Processes& processes);
    [[nodiscard]] bool has_any_joined() const { return has_any_joined_; }
    // True if a process that has not joined by now is missing.
    [[nodiscard]] bool is_over(Clock::time_point now) const;
    // "process 2 has not come within 6 s of the others: ...".
    [[nodiscard]] std::string describe_missing(const std::vector<std::size_t>& ranks) const;

private:
    [[nodiscard]] std::chrono::duration<double> timeout() const;
    std::optional<std::size_t> admit(Processes& processes, const std::string& hello, Channel& guest);

    Listener listener_;
    std::vector<Channel> guests_;  // have not said yet who they are
    std::optional<double> timeout_;
    Clock::time_point last_joined_ = Clock::now();  // a process, or the start
    bool has_any_joined_ = false;
};

}  // namespace sluice::launch
