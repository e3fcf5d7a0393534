#include "launch/member.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/error.hpp"
#include "base/job.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"

namespace sluice::launch {
namespace {

std::unique_ptr<Member> join() {
    const char* const told = std::getenv(kVariable);
    if (told == nullptr) {
        return nullptr;
    }
    const std::optional<Address> address = Address::parse(told);
    std::optional<Channel> channel = address ? Channel::connect(*address) : std::nullopt;
    if (!channel ||
        !channel->send(fmt::format("hello {} {} {} {}", address->token, job().number, ::getpid(), host_name()))) {
        throw Error(Exit::worker_lost, fmt::format("process {} on {} does not reach {} at {}", job().number,
                                                   host_name(), typed("launch"), told));
    }
    return std::make_unique<Member>(std::move(*channel));
}

}  // namespace

Member* member() {
    static const std::unique_ptr<Member> own = join();
    return own.get();
}

Member::Member(Channel channel) : channel_(std::move(channel)), thread_([this] { serve(); }) {}

Member::~Member() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    thread_.join();
}

void Member::listen(Wishes wishes) {
    const std::lock_guard lock(mutex_);
    wishes_ = std::move(wishes);
    if (stops_ && wishes_.stop) {
        wishes_.stop();
    }
    if (lost_ && wishes_.lost) {
        wishes_.lost(*lost_);
    }
}

bool Member::saves() {
    std::unique_lock lock(mutex_);
    if (!lost_) {
        channel_.send("asks");
        changed_.wait_for(lock, kAnswer, [this] { return lost_.has_value(); });
    }
    return lost_ ? saves_ : job().number == 0;
}

bool Member::hand_over(std::string error) {
    std::ranges::replace(error, '\n', kLineBreak);
    return channel_.send("error " + error) && job().number != 0;
}

// What a process has sent is lost where it ends with something unread: so it stays until the launcher hangs up.
void Member::leave(int code) {
    std::unique_lock lock(mutex_);
    is_leaving_ = true;
    channel_.send(fmt::format("bye {}", code));
    changed_.wait_for(lock, kSilence, [this] { return is_let_go_; });
}

void Member::take(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (line == "stop") {
        stops_ = true;
        if (wishes_.stop) {
            wishes_.stop();
        }
    } else if (!lost_) {  // "lost 1 process 2 ...": the first number says who saves
        const std::size_t number = line.find(' ') + 1;
        const std::size_t reason = line.find(' ', number) + 1;
        saves_ = line.substr(number, reason - number - 1) == std::to_string(job().number);
        lost_ = line.substr(reason);
        changed_.notify_all();
        if (wishes_.lost) {
            wishes_.lost(*lost_);
        }
    }
}

// The launcher has hung up: because it knows that this process leaves?
bool Member::is_let_go() {
    const std::lock_guard lock(mutex_);
    is_let_go_ = is_leaving_;
    changed_.notify_all();
    return is_let_go_;
}

void Member::serve() {
    using Clock = std::chrono::steady_clock;
    Clock::time_point leave_at = Clock::time_point::max();
    while (true) {
        {
            const std::lock_guard lock(mutex_);
            if (is_ending_) {
                return;
            }
            if (lost_ && leave_at == Clock::time_point::max()) {
                leave_at = Clock::now() + kLeave;
            }
            if (Clock::now() > leave_at) {
                log::error(fmt::format("{}; process {} on {} could not {}", *lost_, job().number, host_name(),
                                       saves_ ? "save what was trained since the last checkpoint" : "leave by itself"));
                std::_Exit(static_cast<int>(Exit::worker_lost));
            }
        }
        pollfd waits{channel_.socket(), POLLIN, 0};
        ::poll(&waits, 1, static_cast<int>(kBeat.count()) / 2);
        bool gone = !channel_.send("alive");
        for (const std::string& line : channel_.receive(gone)) {
            take(line);
        }
        if (gone && is_let_go()) {
            return;
        }
        if (gone) {
            take(fmt::format("lost 0 {} is gone", typed("launch")));
            std::this_thread::sleep_for(kBeat);
        }
    }
}

}  // namespace sluice::launch
