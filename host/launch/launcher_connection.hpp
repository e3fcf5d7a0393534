// The connection of a process to `host launch`, which started it: it sends heartbeats and gets requests.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "launch/channel.hpp"
#include "launch/messages.hpp"

namespace sluice::launch {

class LauncherConnection {
public:
    // Callbacks for requests of the launcher.
    struct Callbacks {
        std::function<void(const std::string& reason)> lost;  // stop waiting for others, save and exit
        std::function<void(int signal)> stop;                 // save and stop, as all ranks do
    };

    explicit LauncherConnection(Channel channel);
    ~LauncherConnection();
    LauncherConnection(const LauncherConnection&) = delete;
    LauncherConnection& operator=(const LauncherConnection&) = delete;

    // Calls the callbacks from now on, on this object's thread, and at once for a request that came before. If another
    // process is lost, one that does not listen yet has nothing to save: it exits at once with Exit::replica_lost. One
    // that listens is stopped with the same code if it still runs when its time is over.
    void listen(Callbacks callbacks);
    // From now on there is something to save.
    void begin_training();
    // Drops the callbacks: there is nothing left to save. `fails`: hand_over() still has to report an error.
    void stop_listening(bool fails);
    // Call the next two after another process was lost. They ask the launcher if that has not reported the lost replica
    // yet.

    // Returns true if this process has to save what was trained.
    [[nodiscard]] bool ask_if_saver();
    // Returns the exit code of the other process if it failed by itself.
    [[nodiscard]] std::optional<Exit> peer_exit();

    // Sends the error of this process to the launcher. Returns false if the process has to log it itself: on rank 0,
    // and if the connection is lost.
    bool hand_over(const std::string& error);
    // Reports the path of the last checkpoint, which the launcher logs if no process does.
    void report_checkpoint(const std::string& file);
    // Reports that this process has stopped as asked and will exit with `code`. If it is killed before it exits, it
    // does not count as lost. `signal`: the one that it got; 0: it stops because another process got one.
    void report_stopped(int code, int signal);
    // Announces the exit with `code` to the launcher, and waits up to kHeartbeatTimeout until the launcher has noted
    // it.
    void leave(int code);

private:
    using Clock = std::chrono::steady_clock;
    // leaving: the exit is announced. released: the launcher has noted it, so nothing is left to do.
    enum class Phase { starting, ready, training, shutting_down, leaving, released };

    // Another process is lost, so this one has to exit.
    struct LostReplica {
        LostReplicaNotice notice;
        Clock::time_point at;
        Clock::time_point leave_at;
    };

    [[noreturn]] void leave_without_thread(const std::string& why);
    void announce_exit(Exit exit);
    void serve();
    void take(const std::string& line);
    void handle(const StopOrder& order);
    void handle(const LostReplicaNotice& notice);
    void await_loss(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] bool is_saved_here() const;
    void handle_closed_connection();
    [[nodiscard]] bool is_released();
    void exit_if_overdue();
    void begin_shutdown();

    Channel channel_;
    std::mutex mutex_;  // guards the members below
    std::condition_variable changed_;
    Phase phase_ = Phase::starting;
    Clock::time_point shutdown_since_;
    Callbacks callbacks_;
    std::optional<LostReplica> lost_replica_;
    bool is_alone_ = false;  // the connection to the launcher is lost
    int stop_ = 0;           // signal by which the user asked to stop; 0: none
    std::thread thread_;
};

// The connection of this process; null if no launcher started it. The first call connects, and throws
// Error(Exit::replica_lost) if that fails.
LauncherConnection* own_connection();

// Listens to the launcher while it exists.
class Listening {
public:
    Listening(LauncherConnection& connection, LauncherConnection::Callbacks callbacks) : connection_(connection) {
        connection_.listen(std::move(callbacks));
    }
    ~Listening() { connection_.stop_listening(std::uncaught_exceptions() > 0); }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

private:
    LauncherConnection& connection_;
};

}  // namespace sluice::launch
