// Times the stages of training steps on a device whose work is asynchronous, by the device's own clock. All functions
// do nothing on other devices, and on those without a clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "profile/stage.hpp"
#include "registry/optional/device_time.hpp"
#include "run/network/step_state.hpp"

namespace sluice::run {

// Of a step with many micro-batches, some are not timed; they count as long as the mean of the others, since all are of
// equal size.
class DeviceClock {
public:
    // Places on the stream: the beginning of a micro-batch, and the end of each stage.
    enum class Mark : std::uint8_t { begin, fed, forward, backward, exchanged, updated };

    DeviceClock(const std::shared_ptr<const registry::Device>& device, void* stream);

    // Call it before a micro-batch is enqueued; it marks its beginning. `is_first`: of the step.
    void begin_micro_batch(bool is_first);
    // Enqueues a mark, which may be captured in a graph.
    void mark(Mark mark) const;
    // Sends the times of the step to the host. Call it after the copy of the step's result was enqueued.
    void send();
    // Returns the times of the oldest step that was sent and not taken. The step must have finished.
    [[nodiscard]] profile::DeviceStep take();

private:
    static constexpr std::size_t kMarks = 6;
    static constexpr std::size_t kSteps = StepState::kAhead;
    static constexpr std::size_t kMostTimed = profile::DeviceStep::kMostBusy;  // micro-batches of a step, with the last

    using Times = std::span<const std::uint64_t>;  // of each mark
    // Adds the stages of a micro-batch, the last of which has those of the step too.
    static void add(const Times& times, profile::DeviceStep& step);
    void copy_times(std::uint64_t micro_batch) const;

    void* stream_;
    std::optional<registry::DeviceStamps> stamps_;
    std::uint64_t micro_batches_ = 0;                   // of the current step
    double enqueued_ = 0.0;                             // when the current step began, as now()
    std::array<std::uint64_t, kSteps> sent_batches_{};  // micro-batches of each step that was sent
    std::array<double, kSteps> sent_enqueued_{};        // when each of these steps began
    std::uint64_t sent_ = 0;
    std::uint64_t taken_ = 0;
};

}  // namespace sluice::run
