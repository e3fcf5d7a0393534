// Writes the windows that a training recorded into the run's folder, and sends them to observers. A thread of its own
// writes, since long windows take a while.
#pragma once

#include <memory>
#include <optional>
#include <thread>

#include "profile/window.hpp"
#include "run/train/profile_windows.hpp"
#include "run/train/run_events.hpp"
#include "run/train/step_account.hpp"
#include "run/train/training_replicas.hpp"

namespace sluice::run {

class WindowReports {
public:
    // All references outlive it.
    WindowReports(const TrainingReplicas& replicas, StepAccount& account, const RunEvents& events)
        : replicas_(replicas), account_(account), events_(events) {}

    // Reports a window that was closed, and adds the cost to the last one when that was measured. A failure costs the
    // window, not the run.
    void report(const Progress& progress);
    // Call it at the end of the run: waits until all windows are written, and warns of steps that were to be recorded
    // and were no part of it.
    void finish();

private:
    void update(const std::optional<ProfileWindows::Recorded>& recorded,
                const std::optional<profile::RecordingCost>& cost, const Progress& progress);
    // Writes the last window, and logs what it shows, or only its cost.
    void write_later(bool logs_only_cost);

    const TrainingReplicas& replicas_;
    StepAccount& account_;
    const RunEvents& events_;
    std::shared_ptr<const profile::Window> last_;  // null: none
    std::jthread writer_;                          // of the last window
};

}  // namespace sluice::run
