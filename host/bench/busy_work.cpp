#include "bench/busy_work.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::bench {
namespace {

// Zeroing kBytes takes a GPU some microseconds. The host launches kTimes of them as one graph.
constexpr std::uint64_t kBytes = std::uint64_t{4} << 20;
constexpr int kTimes = 64;
constexpr double kMostRuns = 1000.0;

registry::Graph record(const std::shared_ptr<const registry::Device>& device, void* stream,
                       const registry::Block& block) {
    registry::GraphCapture capture(device, stream);
    for (int i = 0; i < kTimes; ++i) {
        device->zero(block.data(), block.size(), stream);
    }
    return capture.end();
}

double seconds_of(const std::shared_ptr<const registry::Device>& device, void* stream, const registry::Graph& graph) {
    const registry::Event before(device);
    const registry::Event after(device);
    graph.launch(stream);  // keeps the device busy while the host enqueues the next one
    before.record(stream);
    graph.launch(stream);
    after.record(stream);
    after.wait();
    return before.seconds_to(after);
}

}  // namespace

BusyWork::BusyWork(std::shared_ptr<const registry::Device> device, void* stream)
    : stream_(stream),
      block_(device, kBytes),
      graph_(record(device, stream, block_)),
      seconds_(std::max(seconds_of(device, stream, graph_), 1e-5)) {}

void BusyWork::put(double seconds) const {
    const double runs = std::clamp(std::ceil(seconds / seconds_), 1.0, kMostRuns);
    for (int run = 0; run < static_cast<int>(runs); ++run) {
        graph_.launch(stream_);
    }
}

}  // namespace sluice::bench
