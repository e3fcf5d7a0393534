// How far a stream has come, seen by the CPU without a call of CUDA. It is told by copies to pinned memory that are put
// on the stream between what it does, and so is also told by work that was recorded and runs again.
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

    // In memory of the calling thread's GPU, made with this stream.
    explicit Marks(cudaStream_t stream);
    ~Marks();
    Marks(const Marks&) = delete;
    Marks& operator=(const Marks&) = delete;

    // Tells `number` when the stream has come here; kMost for all from there on.
    void put(std::uint32_t number, cudaStream_t stream) const;
    // The number told last. [one thread]
    [[nodiscard]] Seen look() const;
    // As look(), but leaves what is new to it. [any thread]
    [[nodiscard]] std::uint32_t number() const;

private:
    void free() noexcept;

    std::uint32_t* numbers_ = nullptr;  // on the GPU: 0 to kMost
    std::uint32_t* told_ = nullptr;     // pinned
};

}  // namespace sluice::nccl
