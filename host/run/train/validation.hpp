// When a training is evaluated, and what a score means for its best checkpoint and its learning rate.
#pragma once

#include <functional>
#include <string>

#include "config/spec.hpp"
#include "data/loader/loader.hpp"
#include "registry/optional/processes.hpp"
#include "run/checkpoint/progress.hpp"
#include "run/replica/replica_group.hpp"
#include "run/setup/evaluation.hpp"
#include "run/train/timeline.hpp"

namespace sluice::run {

// Returns true if an evaluation is due after the last step, or is owed since an earlier one.
[[nodiscard]] bool is_evaluation_due(const config::PipelineSpec& spec, const Timeline& timeline,
                                     const Progress& progress);

// Notes a score. Returns true if the monitored value is finite and the best so far.
bool note_score(const config::PipelineSpec& spec, const Evaluation& evaluation, Progress& progress);

// Forgets the best score and the state of a plateau schedule if `sha256` differs from that of the last evaluation's
// samples, because such scores cannot be compared. Returns true if it did. An empty hash means unknown.
bool note_validation_samples(Progress& progress, const std::string& sha256);

class Validation {
public:
    // All references must outlive this object. `loader` is null if the pipeline has no validation data.
    Validation(const config::PipelineSpec& spec, const ReplicaGroup& replicas, const registry::Processes& processes,
               data::Loader* loader);

    [[nodiscard]] bool has_data() const { return loader_ != nullptr; }
    // Returns true if the owed evaluation can run now. `is_last` is true if no step of this run follows.
    [[nodiscard]] bool check_if_due(const Progress& progress, bool is_last);
    // Delays the evaluation until a step changes the weights: they give no finite loss, and steps are being skipped.
    void postpone_until_update() { waits_for_update_ = true; }
    [[nodiscard]] bool waits_for_update() const { return waits_for_update_; }
    // Evaluates the current weights. It polls `stop` after each batch; see evaluate().
    [[nodiscard]] Evaluation measure(const std::function<bool()>& stop);
    // Returns the SHA-256 of the last evaluation's samples; empty with several processes, which have a part each.
    [[nodiscard]] std::string sha256() const { return loader_->digest(); }

private:
    const ReplicaGroup& replicas_;
    const registry::Processes& processes_;
    data::Loader* loader_;
    data::BadSamples bad_;
    EvaluationTimes times_;
    bool waits_for_update_ = false;
};

}  // namespace sluice::run
