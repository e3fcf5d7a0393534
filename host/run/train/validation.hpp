// When a training is evaluated, and what a score means for its best checkpoint and its learning rate.
#pragma once

#include <functional>
#include <string>

#include "config/spec.hpp"
#include "data/loader/loader.hpp"
#include "registry/objects/processes.hpp"
#include "run/checkpoint/checkpoint.hpp"
#include "run/replica/replica_group.hpp"
#include "run/train/evaluation.hpp"
#include "run/train/timeline.hpp"

namespace sluice::run {

// Whether an evaluation is due after the step that `progress` has just done, or is owed since an earlier one.
[[nodiscard]] bool is_evaluation_due(const config::PipelineSpec& spec, const Timeline& timeline,
                                     const Progress& progress);

// Notes a score, of which no number but the monitored one has to be finite. Returns whether it is the best so far.
bool note_score(const config::PipelineSpec& spec, const Evaluation& evaluation, Progress& progress);

// Scores on different samples cannot be compared: forgets the best score, and what a plateau schedule remembers, if
// `sha256` is not that of the samples of the last evaluation. Returns whether it did; an empty one says nothing.
bool note_validation_samples(Progress& progress, const std::string& sha256);

class Validation {
public:
    // All outlive it. `loader` is null if the pipeline has no validation data.
    Validation(const config::PipelineSpec& spec, const ReplicaGroup& replicas, const registry::Processes& processes,
               data::Loader* loader);

    [[nodiscard]] bool has_data() const { return loader_ != nullptr; }
    // Whether to evaluate now what `progress` owes. `is_last`: no step of this run follows.
    [[nodiscard]] bool is_time(const Progress& progress, bool is_last);
    // The weights give no finite loss, and steps are being skipped: waits for a step that changes them.
    void wait_for_update() { waits_for_update_ = true; }
    [[nodiscard]] bool waits_for_update() const { return waits_for_update_; }
    // Evaluates the weights as they are. `stop` is asked after each batch; see evaluate().
    [[nodiscard]] Evaluation measure(const std::function<bool()>& stop);
    // SHA-256 of the samples of the last evaluation. Several processes have a part of them each, and it is empty.
    [[nodiscard]] std::string sha256() const { return loader_->digest(); }

private:
    const ReplicaGroup& replicas_;
    const registry::Processes& processes_;
    data::Loader* loader_;
    data::BadSamples bad_;
    EvaluationPace pace_;
    bool waits_for_update_ = false;
};

}  // namespace sluice::run
