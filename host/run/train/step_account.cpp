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

// Counts the waits of the loop for a device as this stage.
void count_waits(StageSeconds& seconds, Stage stage) { seconds[stage] += std::exchange(seconds[Stage::device], 0.0); }

}  // namespace

void StepAccount::begin() {
    StageSeconds before;
    before[Stage::other] = profile::seconds_since_start() - (now() - clock_.taken_at());
    run_.add(Phase::start, before);
    add(Phase::start);
}

void StepAccount::add(Phase phase) {
    StageSeconds seconds = clock_.take();
    count_waits(seconds, phase == Phase::steps ? Stage::download : Stage::forward);  // others only compute forward
    run_.add(phase, seconds);
    log_.add(phase, clock_.taken_at(), 0, seconds);
}

std::string StepAccount::clock_cost() const {
    constexpr int kEnters = 20000;
    profile::StageClock clock;
    if (clock_.keeps_history()) {
        clock.keep_history();
    }
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
    if (!clock_.keeps_history() && !replicas.first().runner().device()->is_host_memory()) {
        add(Phase::steps);
        clock_.keep_history();
    }
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

StageSeconds StepAccount::end_step(std::int64_t step, const profile::DeviceStep& on_device) {
    const double began = clock_.taken_at();
    StageSeconds seconds;
    if (clock_.keeps_history() && !on_device.is_empty()) {
        seconds = take_device_step(on_device);
    } else {
        seconds = clock_.take();
        count_waits(seconds, Stage::other);
    }
    ++steps_;
    profile::add({.begin = began, .end = clock_.taken_at(), .kind = SLUICE_SPAN_STEP, .name = "step", .step = step});
    run_.add(Phase::steps, seconds);
    log_.add(Phase::steps, clock_.taken_at(), step, seconds);
    if (windows_.end_step(step, seconds.total())) {
        stop_devices();
    }
    return seconds;
}

// While the device is idle, the loop's stages count. A wait for the result of an idle device is a download.
StageSeconds StepAccount::take_device_step(const profile::DeviceStep& on_device) {
    const double offset = timeline_.offset(on_device, now());
    StageSeconds seconds;
    double worked = 0.0;
    for (std::size_t i = 0; i < on_device.busy_count; ++i) {
        const double since = clock_.taken_at();
        const double end = std::max(on_device.busy[i].end + offset, since);
        const double begin = std::clamp(on_device.busy[i].begin + offset, since, end);
        seconds += clock_.take_until(begin);
        run_.add_beside_device(clock_.take_until(end));
        worked += end - begin;
        profile::add_on_device({begin, end, on_device.seconds});
    }
    count_waits(seconds, Stage::download);
    const double share = worked / std::max(on_device.seconds.total(), 1e-9);
    for (std::size_t i = 0; i < profile::kStages; ++i) {
        const auto stage = static_cast<Stage>(i);
        seconds[stage] += share * on_device.seconds[stage];
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
