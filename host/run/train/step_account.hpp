// The time of a training: the clock of its loop, the steps in flight, the account of the run, and recorded windows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "profile/stage_clock.hpp"
#include "run/account/run_account.hpp"
#include "run/account/step_log.hpp"
#include "run/train/device_timeline.hpp"
#include "run/train/profile_windows.hpp"
#include "run/train/recorded_devices.hpp"
#include "run/train/steps_in_flight.hpp"

namespace sluice::run {

// A step lasts from the end of the step before it, or of an evaluation or checkpoint in between, to its own end. A step
// on a device whose work is asynchronous ends when the device ends it. While the device is busy, its stages count, and
// the loop works beside it; while it is idle, those of the loop count.
class StepAccount {
public:
    // See ProfileWindows::ProfileWindows().
    StepAccount(const config::PipelineSpec& spec, const std::filesystem::path& folder,
                std::function<ProfileWindows::MemoryPoint()> memory)
        : windows_(spec, folder, std::move(memory)) {}

    [[nodiscard]] profile::StageClock& clock() { return clock_; }
    [[nodiscard]] StepsInFlight& in_flight() { return in_flight_; }
    [[nodiscard]] const StepsInFlight& in_flight() const { return in_flight_; }
    [[nodiscard]] const RunAccount& run() const { return run_; }
    // See RunAccount.
    void set_input_work(double read, double preprocess) { run_.set_input_work(read, preprocess); }
    [[nodiscard]] ProfileWindows& windows() { return windows_; }

    // Writes the time of each step and phase into this log from now on.
    void log_steps(StepLog log) { log_ = std::move(log); }

    // "12 times a step, 31 ns each: 0.001 %": what the clock itself costs, measured now.
    [[nodiscard]] std::string clock_cost() const;

    // Begins a step; a window may begin with it.
    void begin_step(std::int64_t step, const ReplicaGroup& replicas, const registry::Processes& processes);

    // Counts the time since the process started for the start.
    void begin();
    // Counts the time since the last call of any function here for this phase, without a step that ended.
    void add(Phase phase);
    // The oldest step in flight, number `step`, was taken and has ended. A window may end with it. Returns its seconds.
    // `on_device`: the step on the first replica's device.
    profile::StageSeconds end_step(std::int64_t step, const profile::DeviceStep& on_device);
    // Ends a window that is still open.
    void finish_windows();

    // Counts the time until the end of a scope for a phase, and the time before it for steps.
    class PhaseScope {
    public:
        PhaseScope(StepAccount& account, Phase phase) : account_(account), phase_(phase) { account_.add(Phase::steps); }
        ~PhaseScope() { account_.add(phase_); }
        PhaseScope(const PhaseScope&) = delete;
        PhaseScope& operator=(const PhaseScope&) = delete;

    private:
        StepAccount& account_;
        Phase phase_;
    };

private:
    [[nodiscard]] profile::StageSeconds take_device_step(const profile::DeviceStep& on_device);
    void stop_devices();

    profile::StageClock clock_;
    DeviceTimeline timeline_;
    StepsInFlight in_flight_;
    RunAccount run_;
    StepLog log_;
    std::uint64_t steps_ = 0;  // that have ended
    ProfileWindows windows_;
    RecordedDevices devices_;
};

}  // namespace sluice::run
