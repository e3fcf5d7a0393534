// The time of every launch of a step: by the clock, which waits for each, or by events between them where the device's
// work runs later. What a step does between launches belongs to none of them.
//
// The host may need longer for a launch than such a device. So from the second step on the device is kept busy before
// each pass, for longer than the host needed in the first step to put a whole pass on the stream.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bench/stream_hold.hpp"
#include "registry/objects/streams.hpp"
#include "run/network/launch_watch.hpp"

namespace sluice::bench {

class LaunchTimes : public run::LaunchWatch {
public:
    // `steps` is the length of the plan; the stream outlives it.
    LaunchTimes(std::shared_ptr<const registry::Device> device, void* stream, std::size_t steps);

    void pass_begins() override;
    void launch_ended(const plan::Launch& launch) override;
    // Around the optimizer, which is timed likewise.
    void update_begins() { pass_begins(); }
    void update_ended();

    // After each step: keeps its times and begins anew. Returns the sum of the launches' in seconds.
    double end_step();
    // Seconds of the step that ended last in which the device was kept busy.
    [[nodiscard]] double held() const { return held_; }
    // Of the optimizer in that step.
    [[nodiscard]] double update() const { return update_; }
    // Seconds of that launch in every step so far.
    [[nodiscard]] const std::vector<double>& of(const plan::Launch& launch) const;

private:
    // Of a launch that has been put on the stream: the events before and behind it, by their places in events_.
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
    std::optional<StreamHold> hold_;
    double longest_ = 0.0;            // seconds of the host for a pass of the first step
    std::vector<std::size_t> holds_;  // of this step: places in events_ of the first of two around each
    double held_ = 0.0;
    std::vector<registry::Event> events_;  // of a step, in their order; made when first needed
    std::size_t marks_ = 0;                // of events_, put on the stream in this step
    std::vector<Marked> marked_;
    std::optional<std::size_t> update_mark_;  // place in events_ before the optimizer
    double update_ = 0.0;
    std::vector<double> current_;            // [kDirections * step + direction]
    std::vector<std::vector<double>> kept_;  // likewise, of all steps
};

}  // namespace sluice::bench
