#include <algorithm>

#include "base/clock.hpp"
#include "bench/bandwidth.hpp"

namespace sluice::bench {
namespace {

constexpr std::uint64_t kMebi = 1 << 20;
constexpr std::uint64_t kSizes[] = {16 * kMebi, 64 * kMebi, 256 * kMebi, 1024 * kMebi};
constexpr std::uint64_t kLeastBytes = 2048 * kMebi;  // of a pass: what a wait costs hardly counts
constexpr int kPasses = 3;

// The best of several passes of copies from one half of the block to the other.
double copy_rate(const registry::Device& device, void* stream, std::byte* block, std::uint64_t bytes) {
    const std::uint64_t repeat = std::clamp<std::uint64_t>(kLeastBytes / bytes, 1, 32);
    double best = 0.0;
    for (int pass = 0; pass < kPasses; ++pass) {
        device.wait(stream);
        const double start = now();
        for (std::uint64_t i = 0; i < repeat; ++i) {
            device.copy(block + bytes / 2, block, bytes / 2, stream);
        }
        device.wait(stream);
        best = std::max(best, static_cast<double>(repeat * bytes) / std::max(now() - start, 1e-9));
    }
    return best;
}

}  // namespace

std::vector<Bandwidth> measure_device_bandwidth(const std::shared_ptr<const registry::Device>& device) {
    const std::uint64_t most = std::max(device->info().free_bytes / 16, kSizes[0]);
    const registry::Stream stream(device);
    std::vector<Bandwidth> measured;
    for (const std::uint64_t bytes : kSizes) {
        if (bytes <= most) {
            const registry::Block block(device, bytes);
            device->zero(block.data(), bytes, stream.handle());
            measured.push_back({.bytes = bytes, .copy = copy_rate(*device, stream.handle(), block.data(), bytes)});
        }
    }
    return measured;
}

}  // namespace sluice::bench
