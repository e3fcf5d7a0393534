// The processes of a job join the launcher here. Private to this folder.
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
    // `timeout`: seconds for the first process, then for each next one; nothing: 60, then 6.
    explicit Rendezvous(std::optional<double> timeout) : timeout_(timeout) {}

    [[nodiscard]] const Address& address() const { return listener_.address(); }
    void add_sockets(std::vector<pollfd>& waits) const;
    // Admits the processes that have connected and identified themselves; returns their ranks.
    std::vector<std::size_t> admit(Processes& processes);
    [[nodiscard]] bool has_any_joined() const { return has_any_joined_; }
    // True if the timeout is over: processes that have not joined are missing.
    [[nodiscard]] bool is_over(Clock::time_point now) const;
    // "process 2 has not joined within 6 s of the others: ...".
    [[nodiscard]] std::string describe_missing(const std::vector<std::size_t>& ranks) const;

private:
    [[nodiscard]] std::chrono::duration<double> timeout() const;
    std::optional<std::size_t> admit(Processes& processes, const std::string& line, Channel& guest);

    Listener listener_;
    std::vector<Channel> unidentified_;  // connected, but not identified yet
    std::optional<double> timeout_;
    Clock::time_point last_joined_ = Clock::now();  // time at which the last process joined, or the start
    bool has_any_joined_ = false;
};

}  // namespace sluice::launch
