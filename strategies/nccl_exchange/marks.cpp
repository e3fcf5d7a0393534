#include "nccl_exchange/marks.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "nccl_exchange/status.hpp"

namespace sluice::nccl {
namespace {

constexpr std::uint32_t kLookedAt = 1U << 31U;

}  // namespace

Marks::Marks(cudaStream_t stream) {
    std::vector<std::uint32_t> numbers(kMost + 1);
    const std::size_t bytes = numbers.size() * sizeof(numbers.front());
    std::iota(numbers.begin(), numbers.end(), 0U);
    try {
        check(cudaMallocHost(&reported_, sizeof(*reported_)), "taking pinned memory");
        *reported_ = 0;
        check(cudaMalloc(&numbers_, bytes), "taking GPU memory");
        check(cudaMemcpyAsync(numbers_, numbers.data(), bytes, cudaMemcpyHostToDevice, stream), "copying");
        check(cudaStreamSynchronize(stream), "copying");
    } catch (const sdk::Failure&) {
        free();
        throw;
    }
}

Marks::~Marks() { free(); }

void Marks::free() noexcept {
    cudaFree(numbers_);
    cudaFreeHost(reported_);
}

void Marks::put(std::uint32_t number, cudaStream_t stream) const {
    check(cudaMemcpyAsync(reported_, numbers_ + std::min(number, kMost), sizeof(*reported_), cudaMemcpyDeviceToHost,
                          stream),
          "marking where a stream is");
}

Marks::Seen Marks::look() const {
    const std::atomic_ref reported(*reported_);
    std::uint32_t found = reported.load();
    const Seen seen{found & ~kLookedAt, (found & kLookedAt) == 0};
    reported.compare_exchange_strong(found, found | kLookedAt);  // unless the GPU has written another meanwhile
    return seen;
}

std::uint32_t Marks::number() const { return std::atomic_ref(*reported_).load() & ~kLookedAt; }

}  // namespace sluice::nccl
