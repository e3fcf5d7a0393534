// The threads on which the replicas of this process work. A single replica works on the caller's thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sluice::run {

class ReplicaThreads {
public:
    // Gets the local rank of a replica, and returns why its work failed; null: it did not.
    using Work = std::function<std::exception_ptr(std::uint32_t local)>;

    struct Outcome {
        std::vector<std::uint32_t> given_up;  // local ranks of the replicas that did not return in time
        std::string interruption;             // what interrupt() got; empty: it got nothing
    };
    // Replicas that have not returned from the current work.
    struct Working {
        std::vector<std::uint32_t> replicas;  // local ranks
        double since = 0.0;                   // start of the work, as now()
        double timeout = 0.0;                 // in seconds
    };

    explicit ReplicaThreads(std::uint32_t count) : members_(count) {}

    // Starts the threads, if there are several replicas. `body` must call serve() with its argument, the local rank. It
    // must own this object, since a stuck thread may outlive the others.
    void start(const std::function<void(std::uint32_t local)>& body);
    // Works until stop(). Returns false if the replica is stuck.
    bool serve(std::uint32_t local);
    // Waits for the threads, but not for a stuck one.
    void stop();

    // Calls `work` for each replica that is not stuck, and returns when all calls have returned. A replica is stuck if
    // it has not returned `timeout` seconds after the first one (0: no limit), or soon after another failed or after
    // interrupt().
    Outcome run(const Work& work, double timeout);
    // Calls `reason` if replicas work with a timeout. If it returns a text, run() waits only a little longer. At most
    // one text is taken for each run(). [any thread]
    void interrupt(const std::function<std::string(const Working&)>& reason);

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(members_.size()); }
    // The functions below are not allowed while run() runs.
    // Returns what the last work of the replica returned, and then null until the next work.
    std::exception_ptr take_failure(std::uint32_t local);
    [[nodiscard]] bool is_stuck(std::uint32_t local) const { return members_[local].is_stuck; }

private:
    struct Member {
        std::exception_ptr failure;
        bool is_busy = false;
        bool is_stuck = false;  // the others continue without it
        std::thread thread;     // none if there is one replica
    };

    // Call these with the mutex held.
    void await_threads(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] std::vector<std::uint32_t> busy_ones() const;

    std::vector<Member> members_;
    std::mutex mutex_;                  // guards the members below, and Member::is_busy
    std::condition_variable called_;    // there is work, or is_stopping_ is set
    std::condition_variable returned_;  // a replica returned, or the wait for them was interrupted
    const Work* work_ = nullptr;
    double timeout_ = 0.0;  // of the current work
    double began_ = 0.0;    // start of the current work, as now()
    std::string interruption_;
    bool is_stopping_ = false;
};

}  // namespace sluice::run
