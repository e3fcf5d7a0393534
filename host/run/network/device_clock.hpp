// Times the stages of training steps on a device whose work is asynchronous, by the device's own clock. All functions
// do nothing on other devices, and on those without a clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "profile/stage.hpp"
#include "registry/optional/device_time.hpp"
#include "run/network/step_state.hpp"

namespace sluice::run {

// Only the last micro-batch of a step is timed; the others count as long as it. Several are of equal size.
class DeviceClock {
public:
    // Places on the stream: the beginning of a micro-batch, and the end of each stage.
    enum class Mark : std::uint8_t { begin, fed, forward, backward, exchanged, updated };

    DeviceClock(const std::shared_ptr<const registry::Device>& device, void* stream);

    // Call it before a micro-batch is enqueued; it marks its beginning.
    void begin_micro_batch();
    // Enqueues a mark, which may be captured in a graph.
    void mark(Mark mark) const;
    // Sends the times of the step to the host. Call it after the step's update was enqueued.
    void send();
    // Returns the seconds of each stage of the oldest step that was sent and not taken; all 0 without a clock. The step
    // must have finished.
    [[nodiscard]] profile::StageSeconds take();

private:
    static constexpr std::size_t kMarks = 6;
    static constexpr std::size_t kSlots = StepState::kAhead;

    void* stream_;
    std::optional<registry::DeviceStamps> stamps_;
    std::uint64_t micro_batches_ = 0;                   // of the current step
    std::array<std::uint64_t, kSlots> sent_batches_{};  // micro-batches of each step that was sent
    std::uint64_t sent_ = 0;
    std::uint64_t taken_ = 0;
};

}  // namespace sluice::run
