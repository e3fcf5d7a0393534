// Sums of float32 that are sent as bfloat16. Each rank sends the others their slices, rounded. It adds what it received
// for its own slice in float32, in the order that kind/strategy.h requires of CPUs. For an all-reduce it then sends the
// rounded sums to all. NCCL's own sums would be made in bfloat16.
//
// The work is done in pieces whose memory is allocated at the start, so that all of it can be captured.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>

#include "nccl_exchange/communicator.hpp"

namespace sluice::nccl {

class NarrowSum {
public:
    // Takes 16 MiB of the calling thread's GPU and loads the kernels there. Construct it before any rank can be at
    // work: CUDA may be unable to do either while one rank waits for another.
    NarrowSum();

    [[nodiscard]] static bool takes(const sluice_collective& collective);
    // Puts the collective on the stream, in place.
    void start(const sluice_collective& collective, Communicator& communicator, cudaStream_t stream) const;

private:
    struct Free {
        void operator()(std::uint16_t* block) const noexcept { cudaFree(block); }
    };
    using Block = std::unique_ptr<std::uint16_t, Free>;

    static Block make_block();

    // Slices that are sent to the ranks, and slices that come from them, in bfloat16, one after the other.
    Block out_ = make_block();
    Block in_ = make_block();
};

}  // namespace sluice::nccl
