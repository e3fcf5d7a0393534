// Memory and a stream of a bench for convolutions.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace sluice::cudnn {

class BenchMemory {
public:
    explicit BenchMemory(std::uint64_t bytes);
    ~BenchMemory() { cudaFree(block_); }
    BenchMemory(const BenchMemory&) = delete;
    BenchMemory& operator=(const BenchMemory&) = delete;
    [[nodiscard]] void* get() const { return block_; }

private:
    void* block_ = nullptr;
};

class BenchStream {
public:
    BenchStream();
    ~BenchStream() { cudaStreamDestroy(stream_); }
    BenchStream(const BenchStream&) = delete;
    BenchStream& operator=(const BenchStream&) = delete;
    [[nodiscard]] cudaStream_t get() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

}  // namespace sluice::cudnn
