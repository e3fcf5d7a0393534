// The launcher's record of one of its processes. Private to this folder.
#pragma once

#include <chrono>
#include <csignal>
#include <optional>
#include <string>

#include "base/host_name.hpp"
#include "launch/channel.hpp"

namespace sluice::launch {

using Clock = std::chrono::steady_clock;

struct Process {
    std::optional<Channel> channel;
    int pid = 0;  // 0: it has not joined
    std::string host;
    Clock::time_point heard;
    std::string error;        // with which it failed; empty: none was reported
    std::optional<int> stop;  // the code with which it will exit after it stopped as asked
    std::optional<int> code;  // the exit code that it announced
    bool is_lost = false;

    [[nodiscard]] bool has_come() const { return pid != 0; }
    [[nodiscard]] bool has_left() const { return code || is_lost; }
    [[nodiscard]] bool lives() const { return channel && !has_left(); }
    // True if the process exists on this machine; false if it runs on another machine.
    [[nodiscard]] bool is_here() const { return has_come() && host == host_name() && ::kill(pid, 0) == 0; }
};

}  // namespace sluice::launch
