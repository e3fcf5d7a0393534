// The progress of a stream, which the CPU reads without CUDA calls. Between its work the stream copies numbers to
// pinned memory. Captured work does so, too, when it is replayed.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace sluice::nccl {

class Marks {
public:
    static constexpr std::uint32_t kMost = 16383;
    struct Seen {
        std::uint32_t number = 0;
        bool is_new = false;  // it came after the last look()
    };

    // Takes memory of the calling thread's GPU. `stream` initializes it.
    explicit Marks(cudaStream_t stream);
    ~Marks();
    Marks(const Marks&) = delete;
    Marks& operator=(const Marks&) = delete;

    // Makes the stream report `number` when it comes here. Numbers above kMost are reported as kMost.
    void put(std::uint32_t number, cudaStream_t stream) const;
    // The number reported last. [one thread]
    [[nodiscard]] Seen look() const;
    // The same number, but look() still finds it new. [any thread]
    [[nodiscard]] std::uint32_t number() const;

private:
    void free() noexcept;

    std::uint32_t* numbers_ = nullptr;   // on the GPU: 0 to kMost
    std::uint32_t* reported_ = nullptr;  // pinned memory
};

}  // namespace sluice::nccl
