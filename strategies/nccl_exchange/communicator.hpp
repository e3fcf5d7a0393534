// One rank of a world of GPUs that exchange by NCCL. No call waits for another rank unless its comment says so.
#pragma once

#include <nccl.h>

#include <cstdint>
#include <mutex>
#include <string>

#include "sluice/kind/strategy.h"

namespace sluice::nccl {

// The id by which the ranks of one world find each other. One rank makes it and gives it to all.
[[nodiscard]] ncclUniqueId make_id();

// All functions throw sdk::Failure(SLUICE_REPLICA_LOST) if they fail.
class Communicator {
public:
    Communicator() = default;
    ~Communicator() { abort(); }
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    // Begins to connect to the other ranks, on the calling thread's GPU. is_ready() is true when all are connected.
    void open(const ncclUniqueId& id, std::uint32_t rank, std::uint32_t world);
    // True if NCCL has finished the CPU's part of the last call.
    [[nodiscard]] bool is_ready();
    // The work of the next three functions is on the stream when they return. NCCL connects ranks when they first need
    // each other: such a call waits until the others make theirs, or until abort(). start() works in place.
    void start(const sluice_collective& collective, cudaStream_t stream);
    // Exchanges slices of `count` bfloat16 numbers, one for each rank. Each rank gets its slice of `out`. The slice
    // from a rank is written to that rank's place in `in`. The own slice is not moved.
    void all_to_all(const std::uint16_t* out, std::uint16_t* in, std::size_t count, cudaStream_t stream);
    // Sends the own slice of `all` to all ranks, and gets theirs.
    void gather(std::uint16_t* all, std::size_t count, cudaStream_t stream);
    // The error that NCCL has found meanwhile; empty: none. [any thread]
    [[nodiscard]] std::string failure();
    [[nodiscard]] std::uint32_t rank() const { return rank_; }
    [[nodiscard]] std::uint32_t world() const { return world_; }
    // Shuts down in order; all ranks have to call it. NCCL completes what was started, and is_ready() is then true.
    void finalize();
    // Call it after that, as the last call.
    void destroy();
    // Ends work on the GPU and all later calls. Returns when no work is left; if work was captured, when its graphs are
    // destroyed. [any thread]
    void abort() noexcept;

private:
    void expect_open() const;
    template <class Put>
    void put(const Put& put);
    [[nodiscard]] ncclResult_t put_collective(const sluice_collective& collective, cudaStream_t stream) const;

    std::mutex mutex_;
    ncclComm_t communicator_ = nullptr;
    std::uint32_t rank_ = 0;
    std::uint32_t world_ = 1;
};

}  // namespace sluice::nccl
