#include "run/train/save_policy.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/log.hpp"

namespace sluice::run {

SavePolicy::SavePolicy(const config::PipelineSpec& spec, const ReplicaGroup& replicas,
                       const registry::Processes& processes, const std::filesystem::path& folder, RunEvents& events,
                       std::function<bool()> saves_rest)
    : spec_(spec),
      replicas_(replicas),
      processes_(processes),
      events_(events),
      checkpoints_(spec, replicas, processes, folder),
      saves_rest_(std::move(saves_rest)) {}

void SavePolicy::begin(const Progress& progress) {
    saved_best_ = {progress.best, progress.best_step};
    checkpoints_.resume_from(progress.step);
}

void SavePolicy::save(const Progress& progress, Saving saving) {
    // Observers have written the steps before a checkpoint, before a run can resume from it.
    const bool is_saved = checkpoints_.save(
        progress, saving, [&](const std::filesystem::path& file) { events_.emit_checkpoint(file, progress); });
    if (is_saved) {
        saved_best_ = {progress.best, progress.best_step};
    }
}

bool SavePolicy::is_due(const Progress& progress) const {
    return checkpoints_.is_owed() || Timeline::is_due(spec_.checkpoint.every, progress);
}

bool SavePolicy::may_save_alone(const Progress& progress) const {
    return progress.step > checkpoints_.saved_step() && (processes_.count() == 1 || !checkpoints_.needs_all());
}

bool SavePolicy::take_over_if_asked(const Progress& progress) {
    // On a device, or if each replica holds a part of the optimizer's states, nothing whole is left.
    if (checkpoints_.needs_all() || !replicas_.first().runner().device()->is_host_memory()) {
        return false;
    }
    if (saves_rest_()) {
        checkpoints_.take_over();
    }
    return progress.step > checkpoints_.saved_step();
}

void SavePolicy::leave_best(std::uint64_t step) {
    saved_best_ = {};
    if (step == 0) {
        return;
    }
    if (processes_.is_first()) {
        log::warn(
            fmt::format("the validation samples have changed since the best checkpoint, of step {}, was measured: it "
                        "moves to checkpoints/left, and the best begins anew",
                        step));
    }
    checkpoints_.leave_best();
}

void SavePolicy::drop_unsaved_best(Progress& progress) {
    if (progress.best && progress.best_step != saved_best_.step) {
        checkpoints_.lose_best(progress);
        progress.best = saved_best_.score;
        progress.best_step = saved_best_.step;
    }
}

}  // namespace sluice::run
