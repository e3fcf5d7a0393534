#include "launch/launcher_connection.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "base/host_name.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/process_place.hpp"
#include "base/program_name.hpp"
#include "launch/timeouts.hpp"

namespace sluice::launch {
namespace {

std::unique_ptr<LauncherConnection> join() {
    const char* const address_text = std::getenv(kVariable);
    if (address_text == nullptr) {
        return nullptr;
    }
    const std::optional<Address> address = Address::parse(address_text);
    std::optional<Channel> channel;
    if (address) {
        const Hello hello{address->question(), static_cast<std::size_t>(process_place().rank), ::getpid(), host_name()};
        channel = Channel::connect(*address, to_line(hello));
    }
    if (!channel) {
        throw Error(Exit::replica_lost,
                    fmt::format("process {} on {} cannot reach {} at {}", process_place().rank, host_name(),
                                typed("launch"), address ? address->place() : "an address that cannot be read"));
    }
    return std::make_unique<LauncherConnection>(std::move(*channel));
}

}  // namespace

LauncherConnection* own_connection() {
    static const std::unique_ptr<LauncherConnection> own = join();
    return own.get();
}

LauncherConnection::LauncherConnection(Channel channel) : channel_(std::move(channel)) {
    try {
        thread_ = std::thread([this] { serve(); });
    } catch (const std::system_error& error) {
        leave_without_thread(fmt::format("a thread could not be started: {}{}", error.code().message(), limits_text()));
    }
}

// Rank 0 logs the error itself, the launcher those of other ranks. After an ExitNotice it waits for no heartbeat.
void LauncherConnection::leave_without_thread(const std::string& why) {
    if (process_place().rank == 0) {
        log::error(why);
    }
    channel_.send(to_line(ErrorReport{why}));
    announce_exit(Exit::device);
    std::_Exit(static_cast<int>(Exit::device));
}

// Waits until the launcher closes the connection, as leave() does.
void LauncherConnection::announce_exit(Exit exit) {
    channel_.send(to_line(ExitNotice{static_cast<int>(exit)}));
    bool is_closed = is_alone_;
    for (const auto until = Clock::now() + kAnswerTimeout; !is_closed && Clock::now() < until;) {
        pollfd waits{channel_.socket(), POLLIN, 0};
        ::poll(&waits, 1, static_cast<int>(kHeartbeatInterval.count()) / 2);
        channel_.receive(is_closed);
    }
}

LauncherConnection::~LauncherConnection() {
    {
        const std::lock_guard lock(mutex_);
        phase_ = Phase::released;
    }
    thread_.join();
}

void LauncherConnection::listen(Callbacks callbacks) {
    const std::lock_guard lock(mutex_);
    phase_ = Phase::ready;
    callbacks_ = std::move(callbacks);
    if (stop_ != 0) {
        callbacks_.stop(stop_);
    }
    if (lost_replica_) {
        callbacks_.lost(lost_replica_->notice.reason);
    }
}

void LauncherConnection::begin_training() {
    const std::lock_guard lock(mutex_);
    phase_ = Phase::training;
}

void LauncherConnection::stop_listening(bool fails) {
    const std::lock_guard lock(mutex_);
    callbacks_ = {};
    phase_ = Phase::ready;
    if (!fails) {
        begin_shutdown();
    }
}

// The caller holds the mutex.
void LauncherConnection::begin_shutdown() {
    if (phase_ < Phase::shutting_down) {
        phase_ = Phase::shutting_down;
        shutdown_since_ = Clock::now();
    }
}

bool LauncherConnection::ask_if_saver() {
    std::unique_lock lock(mutex_);
    await_loss(lock);
    return lost_replica_ ? is_saved_here() : process_place().rank == 0;
}

std::optional<Exit> LauncherConnection::peer_exit() {
    std::unique_lock lock(mutex_);
    await_loss(lock);
    return lost_replica_ && lost_replica_->notice.code != 0 ? std::optional(Exit{lost_replica_->notice.code})
                                                            : std::nullopt;
}

void LauncherConnection::await_loss(std::unique_lock<std::mutex>& lock) {
    if (!lost_replica_) {
        channel_.send(to_line(SaverQuestion{}));
        changed_.wait_for(lock, kAnswerTimeout, [this] { return lost_replica_.has_value(); });
    }
}

bool LauncherConnection::hand_over(const std::string& error) {
    const std::lock_guard lock(mutex_);
    begin_shutdown();  // exit_if_overdue() logs nothing from now on: this error is enough
    return channel_.send(to_line(ErrorReport{error})) && process_place().rank != 0;
}

void LauncherConnection::report_checkpoint(const std::string& file) {
    const std::lock_guard lock(mutex_);
    channel_.send(to_line(CheckpointReport{file}));
}

void LauncherConnection::report_stopped(int code, int signal) {
    const std::lock_guard lock(mutex_);
    if (signal != 0) {
        channel_.send(to_line(SignalReport{signal}));
    }
    channel_.send(to_line(StopReport{code}));
}

// If a process exits with unread data, TCP may drop what it has sent. So it waits until the launcher closes the
// connection.
void LauncherConnection::leave(int code) {
    std::unique_lock lock(mutex_);
    begin_shutdown();
    phase_ = Phase::leaving;
    channel_.send(to_line(ExitNotice{code}));
    changed_.wait_for(lock, kHeartbeatTimeout, [this] { return phase_ == Phase::released; });
}

void LauncherConnection::take(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (const auto message = parse_launcher_message(line)) {
        std::visit([this](const auto& one) { handle(one); }, *message);
    }
}

// The caller holds the mutex, as for the next two functions.
void LauncherConnection::handle(const StopOrder& order) {
    stop_ = order.signal;
    if (callbacks_.stop) {
        callbacks_.stop(stop_);
    }
}

void LauncherConnection::handle(const LostReplicaNotice& notice) {
    const Clock::time_point now = Clock::now();
    lost_replica_ = {notice, now, now + notice.time};
    changed_.notify_all();
    if (callbacks_.lost) {
        callbacks_.lost(notice.reason);
    }
}

// This process ask_if_saver what was trained.
bool LauncherConnection::is_saved_here() const {
    return std::cmp_equal(lost_replica_->notice.saver, process_place().rank);
}

// Exits the process if another was lost and its time to save is over.
void LauncherConnection::exit_if_overdue() {
    const std::lock_guard lock(mutex_);
    if (!lost_replica_) {
        return;
    }
    const bool has_begun = phase_ == Phase::ready || phase_ == Phase::training;
    if (phase_ >= Phase::shutting_down) {
        lost_replica_->leave_at =
            std::min(lost_replica_->leave_at, std::max(shutdown_since_, lost_replica_->at) + kShortExitTimeout);
    }
    if (phase_ != Phase::starting && Clock::now() < lost_replica_->leave_at) {
        return;
    }
    if (has_begun || (phase_ == Phase::starting && is_alone_ && is_saved_here())) {
        const std::string& reason = lost_replica_->notice.reason;
        const bool could_save = phase_ == Phase::training && is_saved_here();
        log::error(has_begun
                       ? fmt::format("{}; process {} on {} could not {}", reason, process_place().rank, host_name(),
                                     could_save ? "save what was trained since the last checkpoint" : "exit in time")
                       : reason);
    }
    announce_exit(Exit::replica_lost);
    std::_Exit(static_cast<int>(Exit::replica_lost));
}

// The launcher closes the connection after it has noted the exit of this process.
void LauncherConnection::handle_closed_connection() {
    {
        const std::lock_guard lock(mutex_);
        if (phase_ >= Phase::leaving) {
            phase_ = Phase::released;
            changed_.notify_all();
            return;
        }
        if (!std::exchange(is_alone_, true) && !lost_replica_) {
            handle(LostReplicaNotice{.time = kExitTimeout,
                                     .reason = fmt::format("the connection to {} is lost", typed("launch"))});
        }
    }
    std::this_thread::sleep_for(kHeartbeatInterval);
}

bool LauncherConnection::is_released() {
    const std::lock_guard lock(mutex_);
    return phase_ == Phase::released;
}

void LauncherConnection::serve() {
    while (!is_released()) {
        exit_if_overdue();
        pollfd waits{channel_.socket(), POLLIN, 0};
        ::poll(&waits, 1, static_cast<int>(kHeartbeatInterval.count()) / 2);
        bool is_closed = !channel_.send(to_line(Heartbeat{}));
        for (const std::string& line : channel_.receive(is_closed)) {
            take(line);
        }
        if (is_closed) {
            handle_closed_connection();
        }
    }
}

}  // namespace sluice::launch
