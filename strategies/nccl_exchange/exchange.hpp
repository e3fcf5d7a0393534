// Collectives of the replicas of one process, on their GPUs, with all replicas of the world. A watch thread finds late
// replicas. Replicas themselves wait for others only once, when they connect in their first finish().
//
// From the second exchange on, work may be captured in a graph and replayed. A replay calls nothing here, but the watch
// thread sees it. Its timeout is that of the last finish(), which may be called with nothing started to set it. After a
// timeout the next finish() throws. Replicas of this process that are out of step are found by comparing what they
// start, but only until one of them captures.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "nccl_exchange/order.hpp"
#include "nccl_exchange/replica_connection.hpp"

namespace sluice::nccl {

class Exchange {
public:
    // Returns the id of the world, the same in all processes. It is called once, by the first replica that needs it.
    using TakeId = std::function<ncclUniqueId()>;

    // `is_narrow`: ranges that may be sent as bfloat16 are.
    Exchange(const sluice_topology& place, bool is_narrow, TakeId take_id);
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    // See kind/strategy.h. Each replica calls them on a thread that works on its GPU.
    void start(const sluice_collective& collective);
    void finish(std::uint32_t replica, double seconds);
    void abort(std::string_view reason) noexcept;

private:
    using Lock = std::unique_lock<std::mutex>;
    using Clock = std::chrono::steady_clock;

    struct NotedCollective {
        sluice_collective collective;
        std::uint32_t number;  // of its name
    };
    struct Replica {
        std::unique_ptr<ReplicaConnection> connection;
        bool is_open = false;                // it is connected to the others
        std::vector<NotedCollective> noted;  // collectives; those before `started` belong to this exchange
        std::size_t started = 0;
        bool is_captured = false;  // this exchange is captured
        double seconds = 0.0;
        Clock::time_point since;  // when the watch thread saw its GPU come to the mark
    };

    template <class Work>
    void abort_if_lost(const Work& work);
    std::uint32_t note(const sluice_collective& collective, bool is_captured);
    void connect(std::uint32_t number, double seconds);
    void open(std::uint32_t number);
    void watch();
    void look_at(std::uint32_t number);
    [[nodiscard]] std::string missed(std::uint32_t number, std::uint32_t mark) const;
    template <class Lacks>
    [[nodiscard]] std::string names(const Lacks& lacks) const;
    void expect_whole() const;
    void end(const std::string& reason);
    void close();
    [[noreturn]] void give_up(const std::string& reason);

    const sluice_topology place_;
    const bool is_narrow_;
    const TakeId take_id_;
    std::once_flag id_is_taken_;
    ncclUniqueId id_{};

    std::mutex mutex_;  // guards the members below, but not a replica's calls of its own connection
    std::condition_variable changed_;
    std::deque<Replica> replicas_;
    Order order_;
    bool compares_ = true;      // whether starts are compared: no replica has captured yet
    std::string abort_reason_;  // empty: not aborted
    bool is_ending_ = false;
    std::vector<std::thread> aborts_;  // each aborts one connection
    std::thread watch_;
};

}  // namespace sluice::nccl
