// Times work on a stream of an asynchronous device by the device's own clock, in the time of the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "profile/span.hpp"
#include "registry/optional/device_time.hpp"

namespace sluice::run {

class DeviceTrack {
public:
    static constexpr std::size_t kMostMarks = 1 << 15;  // further spans are dropped

    // Allocates all that it needs, and waits for the stream. Throws Error(Exit::device) if the device has no clock.
    DeviceTrack(std::shared_ptr<const registry::Device> device, void* stream);

    // The next span begins when the stream comes here.
    void begin() { mark(nullptr); }
    // The span of this operation ends when the stream comes here, and the next one begins.
    void end(const profile::Operation& operation) { mark(&operation); }

    // Waits for the stream. Returns all spans; the operations must outlive them.
    [[nodiscard]] std::vector<profile::Span> take() const;
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

private:
    // The same moment by two clocks.
    struct Moment {
        double host = 0.0;         // as now()
        std::uint64_t device = 0;  // in nanoseconds
    };

    void mark(const profile::Operation* operation);
    [[nodiscard]] Moment read_clocks() const;

    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    registry::DeviceStamps stamps_;                 // one for each mark
    registry::DeviceStamps clock_;                  // one for read_clocks()
    std::vector<const profile::Operation*> marks_;  // the operation that ends there; null: none
    std::uint64_t dropped_ = 0;
    Moment began_;
};

}  // namespace sluice::run
