// How long a training is, and what is due after each of its steps.
#pragma once

#include <cstdint>
#include <optional>

#include "config/spec.hpp"
#include "run/checkpoint/progress.hpp"
#include "run/schedule/schedule.hpp"

namespace sluice::run {

// An epoch has a number of batches. A step takes `train.accumulate` of them; the last step of an epoch takes the rest.
class Timeline {
public:
    // `spec` outlives it. Throws Error(Exit::data) if an epoch has no batches.
    Timeline(const config::PipelineSpec& spec, std::uint64_t batches_per_epoch);

    // Fixes the last step and the schedule of a run that begins or resumes at `progress`. Call it before the functions
    // below.
    void begin(const Progress& progress);

    [[nodiscard]] std::uint64_t batches_per_epoch() const { return batches_per_epoch_; }
    [[nodiscard]] std::uint64_t steps_per_epoch() const { return steps_per_epoch_; }
    // The number of steps after which this run stops, from the beginning of the training.
    [[nodiscard]] std::uint64_t last_step() const { return last_step_; }
    [[nodiscard]] const Schedule& schedule() const { return *schedule_; }

    // Returns the number of batches in the next step.
    [[nodiscard]] std::uint64_t batches_of_step(const Progress& progress) const;
    // These four return true after the first step of an epoch, its last step, the last step of the run, and each
    // `every` steps or epochs.
    [[nodiscard]] bool is_epoch_begun(const Progress& progress) const;
    [[nodiscard]] bool is_epoch_done(const Progress& progress) const { return progress.batch == batches_per_epoch_; }
    [[nodiscard]] bool is_done(const Progress& progress) const { return progress.step >= last_step_; }
    [[nodiscard]] static bool is_due(const config::Interval& every, const Progress& progress);

private:
    const config::PipelineSpec& spec_;
    std::uint64_t batches_per_epoch_;
    std::uint64_t accumulate_;
    std::uint64_t steps_per_epoch_;
    std::uint64_t last_step_ = 0;
    std::optional<Schedule> schedule_;
};

// Returns the epoch of the last finished step, from 1.
[[nodiscard]] std::int64_t epoch_of_last_step(const Progress& progress);

}  // namespace sluice::run
