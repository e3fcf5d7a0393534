#include "bench/device_bandwidth.hpp"

#include <algorithm>

#include "base/clock.hpp"

namespace sluice::bench {
namespace {

constexpr std::uint64_t kDeviceMebi = 1 << 20;
constexpr std::uint64_t kDeviceSizes[] = {16 * kDeviceMebi, 64 * kDeviceMebi, 256 * kDeviceMebi, 1024 * kDeviceMebi};
constexpr std::uint64_t kLeastDeviceBytes = 2048 * kDeviceMebi;  // per pass: the cost of a wait hardly counts
constexpr int kDevicePasses = 3;

// Returns the best rate of several passes that copy one half of the block to the other. A slow device copies once in a
// pass.
double copy_rate(const registry::Device& device, void* stream, std::byte* block, std::uint64_t bytes) {
    constexpr double kLongEnough = 2e-3;  // seconds: a wait takes much less
    device.wait(stream);
    const double began = now();
    device.copy(block + bytes / 2, block, bytes / 2, stream);
    device.wait(stream);
    const bool is_slow = now() - began > kLongEnough;
    const std::uint64_t repeat = is_slow ? 1 : std::clamp<std::uint64_t>(kLeastDeviceBytes / bytes, 1, 32);
    double best = 0.0;
    for (int pass = 0; pass < kDevicePasses; ++pass) {
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
    const std::uint64_t most = std::max(device->info().free_bytes / 16, kDeviceSizes[0]);
    const registry::Stream stream(device);
    std::vector<Bandwidth> measured;
    for (const std::uint64_t bytes : kDeviceSizes) {
        if (bytes <= most) {
            const registry::Block block(device, bytes);
            device->zero(block.data(), bytes, stream.handle());
            measured.push_back({.bytes = bytes, .copy = copy_rate(*device, stream.handle(), block.data(), bytes)});
        }
    }
    return measured;
}

}  // namespace sluice::bench
