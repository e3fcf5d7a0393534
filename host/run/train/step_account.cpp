#include "run/train/step_account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/clock.hpp"
#include "profile/process_figures.hpp"
#include "profile/recorder.hpp"

namespace sluice::run {
namespace {

using profile::Stage;
using profile::StageSeconds;

// Divides the seconds for which the host waited for a device in proportion to the device's own. Without such figures
// they belong to no stage.
void divide_device_wait(StageSeconds& seconds, const StageSeconds& on_device) {
    const double waited = std::exchange(seconds[Stage::device], 0.0);
    const double worked = on_device.total();
    if (worked <= 0.0) {
        seconds[Stage::other] += waited;
        return;
    }
    for (std::size_t i = 0; i < profile::kStages; ++i) {
        const auto stage = static_cast<Stage>(i);
        seconds[stage] += waited * on_device[stage] / worked;
    }
}

}  // namespace

void StepAccount::begin() {
    StageSeconds before;
    before[Stage::other] = profile::seconds_since_start() - (now() - clock_.taken_at());
    run_.add(Phase::start, before);
    add(Phase::start);
}

void StepAccount::add(Phase phase) {
    StageSeconds seconds = clock_.take();
    StageSeconds only_forward;
    only_forward[Stage::forward] = 1.0;
    divide_device_wait(seconds, only_forward);  // outside of steps, a device computes only forward
    run_.add(phase, seconds);
}

std::string StepAccount::clock_cost() const {
    constexpr int kEnters = 20000;
    profile::StageClock clock;
    const double began = now();
    for (int i = 0; i < kEnters; ++i) {
        clock.enter(i % 2 == 0 ? Stage::forward : Stage::other);
    }
    const double each = (now() - began) / kEnters;
    const auto entered = static_cast<double>(clock_.entered());
    return fmt::format("the clock was read {:.0f} times a step, {:.0f} ns each: {:.2g} % of the run",
                       entered / static_cast<double>(std::max<std::uint64_t>(steps_, 1)), 1e9 * each,
                       100.0 * each * entered / std::max(run_.total(), 1e-9));
}

// What opens a window comes before its first step, so that it is no part of that.
void StepAccount::begin_step(std::int64_t step, const ReplicaGroup& replicas, const registry::Processes& processes) {
    const bool changes = windows_.changes_before(step);
    if (windows_.opens_before(step)) {
        const PhaseScope phase(*this, Phase::profiling);
        const profile::StageScope stage(Stage::prepare);
        windows_.open(step);
        devices_.start(replicas, processes);
    }
    if (changes) {
        add(Phase::steps);  // so that the step begins with the window
    }
    windows_.begin_step(step, clock_.taken_at());
}

StageSeconds StepAccount::end_step(std::int64_t step, const StageSeconds& on_device) {
    const double began = clock_.taken_at();
    StageSeconds seconds = clock_.take();
    ++steps_;
    profile::add({.begin = began, .end = clock_.taken_at(), .kind = SLUICE_SPAN_STEP, .name = "step", .step = step});
    divide_device_wait(seconds, on_device);
    run_.add(Phase::steps, seconds);
    if (windows_.end_step(step, seconds.total())) {
        stop_devices();
    }
    return seconds;
}

void StepAccount::finish_windows() {
    if (windows_.finish()) {
        stop_devices();
    }
}

void StepAccount::stop_devices() {
    const bool has_devices = devices_.is_recording();
    devices_.stop(windows_.closed_spans());
    if (has_devices) {
        windows_.compare_with_later_steps();
    }
}

}  // namespace sluice::run
