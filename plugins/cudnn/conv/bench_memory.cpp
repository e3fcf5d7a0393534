#include "conv/bench_memory.hpp"

#include <algorithm>

#include "cuda/status.hpp"

namespace sluice::cudnn {

BenchMemory::BenchMemory(std::uint64_t bytes) {
    check(cudaMalloc(&block_, std::max<std::uint64_t>(bytes, 1)), "allocating memory to measure a convolution");
}

BenchStream::BenchStream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream"); }

}  // namespace sluice::cudnn
