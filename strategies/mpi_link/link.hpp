// Connects the processes of an MPI job, which send each other blocks of bytes. A thread of its own makes all MPI calls.
// It sleeps while nothing is in flight.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "in_step/in_step.hpp"
#include "mpi_link/transfer.hpp"

namespace sluice::mpi {

struct MpiJob;

class Link {
public:
    // Called once, on any thread, when the link breaks.
    using Broken = std::function<void(const in_step::AbortReason& reason)>;

    // Starts MPI, which a process can do only once, and waits up to `seconds` for all other processes. If that takes
    // long, `waits` is called once with a text for the log. Throws sdk::Failure.
    Link(double seconds, const std::function<void(const std::string& text)>& waits, Broken broken);
    // Waits for the others to come to their end, unless the link is broken. A broken link leaves MPI without finalizing
    // it, and the process has to exit soon.
    ~Link();
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    // The rank of this process, from 0, and the number of processes.
    [[nodiscard]] std::uint32_t rank() const { return rank_; }
    [[nodiscard]] std::uint32_t count() const { return count_; }

    // The transfer's blocks are borrowed until it is done or, if the link breaks, until wait_until_idle() returns.
    // [any thread]
    void begin(std::shared_ptr<Transfer> transfer);
    // The processes whose block of the transfer has not arrived: "process 2 on node-b". [any thread]
    [[nodiscard]] std::string missing(const Transfer& transfer);
    // Breaks the link, if it is not broken yet, and sends the reason to the others. [any thread]
    void abort(const in_step::AbortReason& reason) noexcept;
    // After a break: waits a short time until no block is touched any more. [any thread but the link's]
    void wait_until_idle();

private:
    struct Start;  // the start of MPI, which may never return

    void wait_for_start(double seconds, const std::function<void(const std::string& text)>& waits);
    void serve();
    void transfer();
    bool move();
    void end(const in_step::AbortReason& reason, bool notifies_peers) noexcept;

    std::uint32_t rank_ = 0;
    std::uint32_t count_ = 1;
    std::vector<std::string> hosts_;  // by process
    Broken broken_;
    std::unique_ptr<MpiJob> mpi_;                       // used by the link's thread alone
    std::vector<std::shared_ptr<Transfer>> completed_;  // their done() has to be called

    std::mutex mutex_;  // guards the members below
    std::condition_variable changed_;
    std::vector<std::shared_ptr<Transfer>> new_;
    std::vector<std::pair<const Transfer*, std::vector<bool>>>
        arrived_blocks_;           // the transfers in flight: which blocks have arrived
    in_step::AbortReason reason_;  // why the link is broken
    bool notifies_peers_ = false;
    bool is_ready_ = false;  // the thread may use mpi_
    bool is_ending_ = false;
    bool is_silent_ = false;  // the thread makes no more MPI calls
    std::thread thread_;
};

}  // namespace sluice::mpi
