// Records the work of a replica, while a window is open. On a synchronous device, work is done when its call returns:
// its spans belong to the calling thread. Elsewhere they belong to the replica's stream, and the device's clock times
// them. If the device reports its kernels itself, only the calls that enqueue them are noted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "profile/recorder.hpp"
#include "run/network/device_track.hpp"

namespace sluice::run {

class StreamSpans {
public:
    // The call that enqueued an operation; times as now().
    struct Launch {
        double begin = 0.0;
        double end = 0.0;
        const profile::Operation* operation = nullptr;
    };

    // `replica` is the number by which the stream is named.
    StreamSpans(std::shared_ptr<const registry::Device> device, void* stream, std::uint32_t replica)
        : device_(std::move(device)), stream_(stream), replica_(replica) {}

    // Prepares a window on an asynchronous device, whose work is not recorded otherwise. Waits for the stream. Throws
    // Error(Exit::device) if the device has no clock or no memory.
    void start();
    // Waits for the stream, and returns what was recorded since start(). Not allowed without start().
    [[nodiscard]] profile::RecordedThread stop();
    [[nodiscard]] bool is_started() const { return track_ != nullptr; }
    // Prepares a window in which the device reports its kernels.
    void note_launches();
    // Returns the launches since note_launches(), in order, and stops noting them.
    [[nodiscard]] std::vector<Launch> take_launches();

    // The next span begins here. Returns true if work is recorded; then call end(). The operations are kept until the
    // window closes.
    [[nodiscard]] bool begin(const profile::Operations& operations);
    // The span of this operation ends here, and the next one begins.
    void end(const profile::Operation& operation);
    // What an asynchronous device got since the last call belongs to no operation.
    void skip();

private:
    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    std::uint32_t replica_;
    std::unique_ptr<DeviceTrack> track_;           // null outside of windows, and on synchronous devices
    std::optional<std::vector<Launch>> launches_;  // std::nullopt: they are not noted
    std::uint64_t calls_ = 0;                      // that were recorded
    double last_ = 0.0;                            // end of the last call, as now()
};

}  // namespace sluice::run
