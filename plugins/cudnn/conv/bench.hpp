// Memory and a stream on which the passes of one convolution run, to check their numbers and to measure their time.
#pragma once

#include <cuda_runtime.h>

#include "conv/bench_memory.hpp"
#include "conv/pass.hpp"
#include "conv/samples.hpp"
#include "norms/tiles.hpp"

namespace sluice::cudnn {

class Bench {
public:
    // Throws SLUICE_NO_MEMORY if the GPU has no room for the tensors and `workspace` bytes.
    Bench(const ConvProblem& problem, const Handle& handle, std::uint64_t workspace);
    ~Bench();
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    // Runs the pass once. Throws SLUICE_UNSUPPORTED if it computes wrong numbers.
    void expect_right(const ConvPass& pass) const;
    // Enqueues one run. If the pass leaves the sums of y to its caller, they are computed too.
    void put(const ConvPass& pass) const;
    void wait() const;
    [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }

private:
    [[nodiscard]] ConvMemory memory() const;
    void fill_result() const;

    const ConvProblem problem_;
    const Handle& handle_;
    BenchStream stream_;
    BenchMemory x_;
    BenchMemory w_;
    BenchMemory y_;
    BenchMemory bias_;
    BenchMemory bias_in_graph_;
    Tiles sum_tiles_;  // of the pass that sums y
    BenchMemory sums_;
    BenchMemory workspace_;
    std::optional<Samples> samples_;
};

}  // namespace sluice::cudnn
