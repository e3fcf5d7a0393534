#include "bench/device_bandwidth.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
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

// Copies one half of a block to the other. If the device can do so, it replays the copies as one graph, so that it
// never waits for the host.
class Copies {
public:
    Copies(std::shared_ptr<const registry::Device> device, std::uint64_t most)
        : device_(std::move(device)), stream_(device_), block_(device_, most) {
        device_->zero(block_.data(), most, stream_.handle());
    }
    // Returns the seconds of a copy, the best of several passes. A slow device copies twice.
    [[nodiscard]] double seconds(std::uint64_t bytes) const {
        constexpr double kLongEnough = 2e-3;
        const std::optional<registry::Graph> one = capture(bytes, 1);
        double best = pass(bytes, 1, one);
        if (best > kLongEnough) {  // or it was the first copy of all
            best = std::min(best, pass(bytes, 1, one));
        }
        if (best > kLongEnough) {
            return best;
        }
        const std::uint64_t repeat = std::clamp<std::uint64_t>(kLeastDeviceBytes / bytes, 1, 32);
        const std::optional<registry::Graph> graph = capture(bytes, repeat);
        for (int i = 0; i < kDevicePasses; ++i) {
            best = std::min(best, pass(bytes, repeat, graph));
        }
        return best;
    }

private:
    // `graph`: the copies, if the device can capture them. Its first launch also uploads it.
    [[nodiscard]] double pass(std::uint64_t bytes, std::uint64_t repeat,
                              const std::optional<registry::Graph>& graph) const {
        device_->wait(stream_.handle());
        const registry::Event began(device_);
        const registry::Event ended(device_);
        const double start = now();
        began.record(stream_.handle());
        graph ? graph->launch(stream_.handle()) : enqueue(bytes, repeat);
        ended.record(stream_.handle());
        device_->wait(stream_.handle());
        const double taken = device_->streams() != nullptr ? began.seconds_to(ended) : now() - start;
        return std::max(taken, 1e-9) / static_cast<double>(repeat);
    }
    void enqueue(std::uint64_t bytes, std::uint64_t repeat) const {
        for (std::uint64_t i = 0; i < repeat; ++i) {
            device_->copy(block_.data() + bytes / 2, block_.data(), bytes / 2, stream_.handle());
        }
    }
    // Returns nothing if the device cannot capture copies.
    [[nodiscard]] std::optional<registry::Graph> capture(std::uint64_t bytes, std::uint64_t repeat) const {
        if (device_->streams() == nullptr) {
            return std::nullopt;
        }
        try {
            registry::GraphCapture capture(device_, stream_.handle());
            enqueue(bytes, repeat);
            return capture.end();
        } catch (const Error&) {
            return std::nullopt;
        }
    }

    std::shared_ptr<const registry::Device> device_;
    registry::Stream stream_;
    registry::Block block_;
};

}  // namespace

// The beginning and the end of a copy move no bytes, which counts for those within a cache. The difference between two
// sizes has no such fixed cost. A disturbed measurement may make it far too small.
std::vector<Bandwidth> measure_device_bandwidth(const std::shared_ptr<const registry::Device>& device) {
    constexpr double kMostFixed = 0.5;  // share of the fixed cost in a copy
    const std::uint64_t most = std::clamp(device->info().free_bytes / 16, kDeviceSizes[1], kDeviceSizes.back());
    const Copies copies(device, most);
    std::vector<Bandwidth> measured;
    double seconds_before = copies.seconds(kDeviceSizes[0]);
    for (std::size_t i = 1; i < kDeviceSizes.size() && kDeviceSizes[i] <= most; ++i) {
        const std::uint64_t bytes = kDeviceSizes[i];
        const double seconds = copies.seconds(bytes);
        const double rate = static_cast<double>(bytes) / seconds;
        const double rate_between_sizes =
            static_cast<double>(bytes - kDeviceSizes[i - 1]) / std::max(seconds - seconds_before, 1e-9);
        const bool is_cached = bytes < kLongBytes && seconds > seconds_before;
        measured.push_back(
            {.bytes = bytes, .copy = is_cached ? std::clamp(rate_between_sizes, rate, rate / kMostFixed) : rate});
        seconds_before = seconds;
    }
    return measured;
}

}  // namespace sluice::bench
