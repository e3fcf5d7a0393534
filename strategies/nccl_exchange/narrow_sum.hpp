// Sums of float32 that travel as bfloat16. Each rank gives the others their slices, rounded, adds up what has come for
// its own in float32, in the order that kind/strategy.h lays down for CPUs, and where all are to have the sums gives
// them, rounded, to all. NCCL's own sums would be made in bfloat16.
//
// They are made in pieces for which there is memory from the beginning, so that all of it can be recorded.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>

#include "nccl_exchange/communicator.hpp"

namespace sluice::nccl {

class NarrowSum {
public:
    // Takes 16 MiB of the calling thread's GPU, and loads the kernels there. It is made before any rank can be at work:
    // CUDA may do neither while one waits for another.
    NarrowSum();

    [[nodiscard]] static bool takes(const sluice_collective& collective);
    // Puts it on the stream, in place.
    void start(const sluice_collective& collective, Communicator& communicator, cudaStream_t stream) const;

private:
    struct Free {
        void operator()(std::uint16_t* block) const noexcept { cudaFree(block); }
    };
    using Block = std::unique_ptr<std::uint16_t, Free>;

    static Block make_block();

    // What goes to the ranks and what comes from them, bits of bfloat16, one slice behind the other.
    Block out_ = make_block();
    Block in_ = make_block();
};

}  // namespace sluice::nccl
