#include "launch/rendezvous.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <utility>

#include "base/machine.hpp"
#include "launch/messages.hpp"

namespace sluice::launch {
namespace {

constexpr std::chrono::seconds kFirst{60};  // for the first process: mpirun first starts its daemons on all machines
constexpr std::chrono::seconds kOthers{6};  // for each next process

}  // namespace

void Rendezvous::add_sockets(std::vector<pollfd>& waits) const {
    waits.push_back({listener_.socket(), POLLIN, 0});
    for (const Channel& guest : unidentified_) {
        waits.push_back({guest.socket(), POLLIN, 0});
    }
}

std::vector<std::size_t> Rendezvous::admit(Processes& processes) {
    while (std::optional<Channel> guest = listener_.accept()) {
        unidentified_.push_back(std::move(*guest));
    }
    std::vector<std::size_t> joined;
    for (std::size_t i = 0; i < unidentified_.size();) {
        bool is_closed = false;
        const std::optional<std::string> line = unidentified_[i].receive_line(is_closed);
        if (line) {
            if (const auto rank = admit(processes, *line, unidentified_[i])) {
                joined.push_back(*rank);
            }
        }
        if (is_closed || line) {
            unidentified_.erase(unidentified_.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
            ++i;
        }
    }
    return joined;
}

std::optional<std::size_t> Rendezvous::admit(Processes& processes, const std::string& line, Channel& guest) {
    const std::optional<Hello> hello = parse_hello(line);
    if (!hello || hello->question != address().question() || hello->rank >= processes.size() ||
        processes[hello->rank].has_come() || processes[hello->rank].is_lost) {
        return std::nullopt;  // not of this job, connected a second time, or too late
    }
    Process process;
    process.pid = hello->pid;
    process.host = hello->host;
    process.channel = std::move(guest);
    process.heard = last_joined_ = Clock::now();
    has_any_joined_ = true;
    process.channel->send(address().answer());
    processes[hello->rank] = std::move(process);
    return hello->rank;
}

std::chrono::duration<double> Rendezvous::timeout() const {
    const std::chrono::duration<double> usual = has_any_joined_ ? kOthers : kFirst;
    return std::chrono::duration<double>(timeout_.value_or(usual.count()));
}

// mpirun starts all processes at about the same time, after it has reached all machines.
bool Rendezvous::is_over(Clock::time_point now) const { return now - last_joined_ > timeout(); }

std::string Rendezvous::describe_missing(const std::vector<std::size_t>& ranks) const {
    const bool is_one = ranks.size() == 1;
    return fmt::format(
        "process {} {} not joined within {:.0f} s{}: {} not started, hang{}, or exited before {} could "
        "report why{}",
        fmt::join(ranks, ", "), is_one ? "has" : "have", timeout().count(), has_any_joined_ ? " of the others" : "",
        is_one ? "it was" : "they were", is_one ? "s" : "", is_one ? "it" : "they", limits_text());
}

}  // namespace sluice::launch
