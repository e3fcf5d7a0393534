#include "launch/processes.hpp"

#include <algorithm>
#include <csignal>

namespace sluice::launch {

bool Processes::is_any_living() const { return std::ranges::any_of(all_, &Process::lives); }

bool Processes::is_any_here() const { return std::ranges::any_of(all_, &Process::is_here); }

bool Processes::have_all_left() const { return std::ranges::all_of(all_, &Process::has_left); }

bool Processes::are_all_done() const {
    return std::ranges::all_of(all_, [](const Process& process) { return process.code == 0; });
}

std::size_t Processes::first_living() const {
    return static_cast<std::size_t>(std::ranges::find_if(all_, &Process::lives) - all_.begin());
}

std::vector<std::size_t> Processes::silent_since(Clock::time_point then) const {
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < all_.size(); ++i) {
        if (all_[i].lives() && all_[i].heard < then) {
            ranks.push_back(i);
        }
    }
    return ranks;
}

void Processes::excuse_silence(Clock::time_point now) {
    for (Process& process : all_) {
        process.heard = now;
    }
}

void Processes::add_sockets(std::vector<pollfd>& waits) const {
    for (const Process& process : all_) {
        if (process.lives()) {
            waits.push_back({process.channel->socket(), POLLIN, 0});
        }
    }
}

void Processes::send(const LauncherMessage& message) const {
    const std::string line = to_line(message);
    for (const Process& process : all_) {
        if (process.lives()) {
            process.channel->send(line);
        }
    }
}

void Processes::kill_here() const {
    for (const Process& process : all_) {
        if (process.is_here()) {
            ::kill(process.pid, SIGKILL);
        }
    }
}

}  // namespace sluice::launch
