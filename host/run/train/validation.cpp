#include "run/train/validation.hpp"

#include <cmath>
#include <utility>

#include "run/schedule/schedule.hpp"

namespace sluice::run {

bool is_evaluation_due(const config::PipelineSpec& spec, const Timeline& timeline, const Progress& progress) {
    return progress.owes_evaluation || Timeline::is_due(spec.evaluate_every, progress) ||
           progress.step == timeline.last_step();
}

bool note_score(const config::PipelineSpec& spec, const Evaluation& evaluation, Progress& progress) {
    const auto [name, value, higher] = monitored(evaluation, spec.checkpoint.monitor);
    const bool is_best =
        std::isfinite(value) && (!progress.best || (higher ? value > *progress.best : value < *progress.best));
    if (is_best) {
        progress.best = value;
        progress.best_step = progress.step;
    }
    if (spec.schedule.use == config::ScheduleKind::plateau) {
        const Monitored watched = monitored(evaluation, spec.schedule.monitor);
        progress.plateau.observe(spec.schedule, scaled_rate(spec), watched.value, watched.higher_is_better);
    }
    return is_best;
}

bool note_validation_samples(Progress& progress, const std::string& sha256) {
    const std::string before = std::exchange(progress.validation_sha256, sha256);
    if (sha256.empty() || before.empty() || sha256 == before) {
        return false;
    }
    progress.best.reset();
    progress.best_step = 0;
    progress.plateau.best.reset();
    progress.plateau.waited = 0;
    return true;
}

Validation::Validation(const config::PipelineSpec& spec, const ReplicaGroup& replicas,
                       const registry::Processes& processes, data::Loader* loader)
    : replicas_(replicas),
      processes_(processes),
      loader_(loader),
      bad_(spec.data.skip_bad),
      times_(spec.sharing.deadline) {}

bool Validation::check_if_due(const Progress& progress, bool is_last) {
    waits_for_update_ = waits_for_update_ && progress.loss_scale.skips_in_row > 0 && !is_last;
    return progress.owes_evaluation && !waits_for_update_;
}

Evaluation Validation::measure(const std::function<bool()>& stop) {
    return evaluate(replicas_, processes_, *loader_, bad_, times_, stop);
}

}  // namespace sluice::run
