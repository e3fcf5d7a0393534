#include "bench/device_bandwidth.hpp"

#include <algorithm>
#include <array>

#include "registry/optional/streams.hpp"

namespace sluice::bench {
namespace {

constexpr std::uint64_t kDeviceMebi = 1 << 20;
// The first sizes fit into the cache of a large device.
constexpr std::array kDeviceSizes{4 * kDeviceMebi,  16 * kDeviceMebi,  32 * kDeviceMebi,
                                  64 * kDeviceMebi, 256 * kDeviceMebi, 1024 * kDeviceMebi};
constexpr std::uint64_t kLongBytes = 64 * kDeviceMebi;
constexpr std::uint64_t kLeastDeviceBytes = 2048 * kDeviceMebi;  // per pass
constexpr int kDevicePasses = 4;

// Copies one half of a block to the other. The copies are replayed as one graph, so that the device never waits for the
// host.
class Copies {
public:
    Copies(std::shared_ptr<const registry::Device> device, std::uint64_t most)
        : device_(std::move(device)), stream_(device_), block_(device_, most) {
        device_->zero(block_.data(), most, stream_.handle());
    }
    // Returns the seconds of a copy, the best of several passes.
    [[nodiscard]] double seconds(std::uint64_t bytes) const {
        constexpr double kLongEnough = 2e-3;
        const double once = pass(bytes, 1);
        const std::uint64_t repeat =
            once > kLongEnough ? 1 : std::clamp<std::uint64_t>(kLeastDeviceBytes / bytes, 1, 32);
        double best = once;
        for (int i = 0; i < kDevicePasses; ++i) {
            best = std::min(best, pass(bytes, repeat));
        }
        return best;
    }

private:
    [[nodiscard]] double pass(std::uint64_t bytes, std::uint64_t repeat) const {
        registry::GraphCapture capture(device_, stream_.handle());
        for (std::uint64_t i = 0; i < repeat; ++i) {
            device_->copy(block_.data() + bytes / 2, block_.data(), bytes / 2, stream_.handle());
        }
        const registry::Graph graph = capture.end();
        const registry::Event began(device_);
        const registry::Event ended(device_);
        graph.launch(stream_.handle());  // the first launch also uploads the graph
        began.record(stream_.handle());
        graph.launch(stream_.handle());
        ended.record(stream_.handle());
        ended.wait();
        return std::max(began.seconds_to(ended), 1e-9) / static_cast<double>(repeat);
    }

    std::shared_ptr<const registry::Device> device_;
    registry::Stream stream_;
    registry::Block block_;
};

}  // namespace

// The beginning and the end of a copy move no bytes. They hardly count for large copies. For those within a cache, the
// difference between two sizes lacks them.
std::vector<Bandwidth> measure_device_bandwidth(const std::shared_ptr<const registry::Device>& device) {
    const std::uint64_t most = std::clamp(device->info().free_bytes / 16, kDeviceSizes[1], kDeviceSizes.back());
    const Copies copies(device, most);
    std::vector<Bandwidth> measured;
    double less = copies.seconds(kDeviceSizes[0]);
    for (std::size_t i = 1; i < kDeviceSizes.size() && kDeviceSizes[i] <= most; ++i) {
        const std::uint64_t bytes = kDeviceSizes[i];
        const double seconds = copies.seconds(bytes);
        const double rate = static_cast<double>(bytes) / seconds;
        const double rate_of_more = static_cast<double>(bytes - kDeviceSizes[i - 1]) / std::max(seconds - less, 1e-9);
        measured.push_back({.bytes = bytes, .copy = bytes < kLongBytes ? std::max(rate, rate_of_more) : rate});
        less = seconds;
    }
    return measured;
}

}  // namespace sluice::bench
