// One rank of a world of GPUs that exchange by NCCL. No call waits for another rank, except if it says so.
#pragma once

#include <nccl.h>

#include <cstdint>
#include <mutex>
#include <string>

#include "sluice/kind/strategy.h"

namespace sluice::nccl {

// What the ranks of one world know each other by: made by one of them, and given to all.
[[nodiscard]] ncclUniqueId make_id();

// What fails throws sdk::Failure(SLUICE_REPLICA_LOST).
class Communicator {
public:
    Communicator() = default;
    ~Communicator() { abort(); }
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    // Begins to look for the others, on the GPU of the calling thread; is_ready() tells when all are there.
    void open(const ncclUniqueId& id, std::uint32_t rank, std::uint32_t world);
    // Whether NCCL has done what it was asked to, as far as that is the CPU's.
    [[nodiscard]] bool is_ready();
    // All that follows is on the stream when the call returns. NCCL connects ranks when they first need each other:
    // such a call waits until the others have come to theirs, or abort() ends it. The collective, in place:
    void start(const sluice_collective& collective, cudaStream_t stream);
    // A slice of `count` numbers, bits of bfloat16, for each rank: those of `out` go to theirs, those that come are put
    // where their rank's lies in `in`. The own stays where it is.
    void trade(const std::uint16_t* out, std::uint16_t* in, std::size_t count, cudaStream_t stream);
    // The own of such slices goes to all.
    void gather(std::uint16_t* all, std::size_t count, cudaStream_t stream);
    // What NCCL has found wrong meanwhile; empty: nothing. [any thread]
    [[nodiscard]] std::string failure();
    [[nodiscard]] std::uint32_t rank() const { return rank_; }
    [[nodiscard]] std::uint32_t world() const { return world_; }
    // A good ending, in which all ranks finalize: NCCL completes what was started, and is_ready() says when.
    void finalize();
    // After that. No call follows.
    void destroy();
    // Ends what runs on GPUs, and all calls from now on. Returns when nothing is left of it: where it was recorded,
    // when the graphs are gone. [any thread]
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
