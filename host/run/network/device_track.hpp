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
    void begin() { mark({}); }
    // The span of this operation ends when the stream comes here, and the next one begins. `correlation` and `step`
    // are those of the span.
    void end(const profile::Operation& operation, std::uint64_t correlation, std::int64_t step) {
        mark({&operation, correlation, step});
    }

    // Waits for the stream. Returns all spans; the operations must outlive them.
    [[nodiscard]] std::vector<profile::Span> take() const;
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

private:
    // The same moment by two clocks.
    struct Moment {
        double host = 0.0;         // as now()
        std::uint64_t device = 0;  // in nanoseconds
    };

    struct Mark {
        const profile::Operation* operation = nullptr;  // that ends there; null: none
        std::uint64_t correlation = 0;
        std::int64_t step = 0;
    };

    void mark(const Mark& mark);
    [[nodiscard]] Moment read_clocks() const;

    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    registry::DeviceStamps stamps_;  // one for each mark
    registry::DeviceStamps clock_;   // one for read_clocks()
    std::vector<Mark> marks_;
    std::uint64_t dropped_ = 0;
    Moment began_;
};

}  // namespace sluice::run
