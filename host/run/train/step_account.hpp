// The time of a training: the clock of its loop, the steps in flight, the account of the run, and recorded windows.
#pragma once

#include <filesystem>
#include <utility>

#include "profile/stage_clock.hpp"
#include "run/train/profile_windows.hpp"
#include "run/train/run_account.hpp"
#include "run/train/steps_in_flight.hpp"

namespace sluice::run {

// A step lasts from the end of the step before it, or of an evaluation or checkpoint in between, to its own end.
class StepAccount {
public:
    // `folder` is the run's folder.
    StepAccount(const config::PipelineSpec& spec, std::filesystem::path folder) : windows_(spec, std::move(folder)) {}

    [[nodiscard]] profile::StageClock& clock() { return clock_; }
    [[nodiscard]] StepsInFlight& in_flight() { return in_flight_; }
    [[nodiscard]] const StepsInFlight& in_flight() const { return in_flight_; }
    [[nodiscard]] const RunAccount& run() const { return run_; }
    [[nodiscard]] ProfileWindows& windows() { return windows_; }

    // Counts the time since the last call of any function below for this phase, without a step that ended.
    void add(Phase phase);
    // The oldest step in flight, which was taken, has ended. Returns its seconds. `on_device`: seconds of each stage on
    // a device whose work is asynchronous; they divide the time for which the host waited for it.
    profile::StageSeconds end_step(const profile::StageSeconds& on_device);

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
    profile::StageClock clock_;
    StepsInFlight in_flight_;
    RunAccount run_;
    ProfileWindows windows_;
};

}  // namespace sluice::run
