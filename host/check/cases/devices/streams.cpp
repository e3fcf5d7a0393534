// Cases for devices whose work runs later: events and captured graphs.
#include "registry/optional/streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "check/cases/devices/device.hpp"

namespace sluice::check {
namespace {

using registry::Block;

// A copy of this many bytes takes a while, so that the cases detect work which does not wait for it.
constexpr std::size_t kMany = std::size_t{32} << 20;
constexpr std::size_t kFewBytes = 4096;

std::shared_ptr<const registry::Device> device_of(Trial& trial) {
    need_interface(trial, SLUICE_STREAMS_V1);
    return open_device(trial);
}

void passes_events(Trial& trial) {
    const auto device = device_of(trial);
    device->streams()->event_destroy(device->object().self(), nullptr);
    const registry::Stream stream(device);
    const Block from(device, kMany, Block::Where::pinned_host);
    const Block to(device, kMany);
    const Block back(device, kFewBytes, Block::Where::pinned_host);
    const registry::Event first(device);
    const registry::Event last(device);
    trial.doing("waiting for an event that was never recorded");
    first.wait();
    first.hold(stream.handle());
    for (const int value : {7, 8}) {  // the second time, the stream has done other work before
        trial.doing("waiting for an event");
        std::memset(from.data(), value, kMany);
        std::memset(back.data(), 0, kFewBytes);
        const auto begin = std::chrono::steady_clock::now();
        first.record(stream.handle());
        device->copy(to.data(), from.data(), kMany, stream.handle());
        device->copy(back.data(), to.data() + (kMany - kFewBytes), kFewBytes, stream.handle());
        last.record(stream.handle());
        last.wait();
        const double most = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        expect(back.data()[kFewBytes - 1] == std::byte(value),
               "event_wait() returns before the work that precedes the event has finished");
        const double seconds = first.seconds_to(last);
        expect(seconds >= 0.0 && seconds <= 2.0 * most + 0.01,
               fmt::format("event_seconds() returns {} s for work that took at most {} s", seconds, most));
    }
}

void waits_for_another_stream(Trial& trial) {
    const auto device = device_of(trial);
    const registry::Stream ahead(device);
    const registry::Stream waiting_stream(device);
    const Block from(device, kMany, Block::Where::pinned_host);
    const Block between(device, kMany);
    const Block back(device, kFewBytes, Block::Where::pinned_host);
    const registry::Event event(device);
    for (const int value : {7, 8}) {
        std::memset(from.data(), value, kMany);
        device->zero(between.data(), kMany, ahead.handle());
        device->wait(ahead.handle());
        device->copy(between.data(), from.data(), kMany, ahead.handle());
        event.record(ahead.handle());
        event.hold(waiting_stream.handle());
        device->copy(back.data(), between.data() + (kMany - kFewBytes), kFewBytes, waiting_stream.handle());
        device->wait(waiting_stream.handle());
        expect(back.data()[kFewBytes - 1] == std::byte(value),
               "work starts before the event of another stream has passed, although stream_wait_event() was called for "
               "it");
        device->wait(ahead.handle());
    }
}

// Captures a copy from one block to another.
class RecordedCopy {
public:
    explicit RecordedCopy(std::shared_ptr<const registry::Device> device)
        : device_(std::move(device)), stream_(device_), from_(device_, kFewBytes), to_(device_, kFewBytes) {}

    // Throws CaseSkipped if copies cannot be captured.
    [[nodiscard]] registry::Graph record() const {
        registry::GraphCapture capture(device_, stream_.handle());
        device_->copy(to_.data(), from_.data(), kFewBytes, stream_.handle());
        try {
            return capture.end();
        } catch (const Error& error) {
            device_->copy(to_.data(), from_.data(), kFewBytes, stream_.handle());
            device_->wait(stream_.handle());
            throw CaseSkipped(error.what());
        }
    }
    void launch(const registry::Graph& graph) const { graph.launch(stream_.handle()); }
    void set_from(int value) const { set(from_, value); }
    void set_to(int value) const { set(to_, value); }
    // True if all bytes of the target have this value.
    [[nodiscard]] bool has_copied(int value) const {
        std::array<std::byte, kFewBytes> bytes{};
        device_->copy(bytes.data(), to_.data(), kFewBytes, stream_.handle());
        device_->wait(stream_.handle());
        return std::ranges::count(bytes, std::byte(value)) == std::ssize(bytes);
    }

private:
    void set(const Block& block, int value) const {
        std::array<std::byte, kFewBytes> bytes{};
        bytes.fill(std::byte(value));
        device_->copy(block.data(), bytes.data(), kFewBytes, stream_.handle());
        device_->wait(stream_.handle());
    }

    std::shared_ptr<const registry::Device> device_;
    registry::Stream stream_;
    Block from_;
    Block to_;
};

void runs_at_each_launch(Trial& trial) {
    const auto device = device_of(trial);
    device->streams()->graph_destroy(device->object().self(), nullptr);
    const RecordedCopy copy(device);
    copy.set_from(1);
    copy.set_to(2);
    const registry::Graph graph = copy.record();
    expect(copy.has_copied(2), "captured work runs during the capture");
    for (const int value : {3, 4, 5}) {
        copy.set_from(value);
        copy.launch(graph);
        expect(copy.has_copied(value), fmt::format("launch {} does not run the captured graph", value - 2));
    }
}

constexpr Case kStreamsCases[] = {
    {"device.events", "An event passes after the work before it, and the time between two is not negative.",
     passes_events},
    {"device.stream_waits", "A stream waits for an event of another one.", waits_for_another_stream},
    {"device.graphs", "A captured graph runs at each launch, and not during the capture.", runs_at_each_launch},
};

}  // namespace

std::span<const Case> stream_cases() { return kStreamsCases; }

}  // namespace sluice::check
