// Times every launch of a step. A synchronous device is timed with the clock and a wait after each launch, a device
// with streams by events between launches. Time between passes belongs to no launch.
//
// The host may take longer to enqueue a launch than a device with streams to run it. From the second step on, the
// device is therefore kept busy before each pass, for longer than the host took to enqueue the whole pass in the first
// step.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bench/busy_work.hpp"
#include "registry/optional/streams.hpp"
#include "run/network/launch_callback.hpp"

namespace sluice::bench {

class LaunchTimes : public run::LaunchCallback {
public:
    // `steps` is the number of steps in the plan. `stream` must outlive this object.
    LaunchTimes(std::shared_ptr<const registry::Device> device, void* stream, std::size_t steps);

    void pass_begins() override;
    void launch_ended(const plan::Launch& launch) override;
    // Call these around the optimizer, which is timed in the same way.
    void update_begins() { pass_begins(); }
    void update_ended();

    // Call after each step: stores its times and starts over. Returns the sum of its launch times in seconds.
    double end_step();
    // Returns the seconds for which the device was kept busy in the last step.
    [[nodiscard]] double held() const { return held_; }
    // Returns the seconds of the optimizer in the last step.
    [[nodiscard]] double update() const { return update_; }
    // Returns the seconds of `launch` in every step so far.
    [[nodiscard]] const std::vector<double>& of(const plan::Launch& launch) const;

private:
    // A launch on the stream. `place` is its index in current_. It ran between events_[before] and the next event.
    struct Marked {
        std::size_t place;
        std::size_t before;
    };

    void mark();
    void hold();
    [[nodiscard]] bool is_first_step() const { return kept_.front().empty(); }
    void read_events();

    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    double last_ = 0.0;
    std::optional<BusyWork> hold_;
    double longest_ = 0.0;            // seconds of the host to enqueue a pass of the first step
    std::vector<std::size_t> holds_;  // of this step: index in events_ of the event before each hold
    double held_ = 0.0;
    std::vector<registry::Event> events_;  // of a step, in order; created on first use
    std::size_t marks_ = 0;                // events recorded in this step
    std::vector<Marked> marked_;
    std::optional<std::size_t> update_mark_;  // index in events_ of the event before the optimizer
    double update_ = 0.0;
    std::vector<double> current_;            // [kDirections * step + direction]
    std::vector<std::vector<double>> kept_;  // same index; one value for each step
};

}  // namespace sluice::bench
