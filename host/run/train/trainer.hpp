// The training loop: steps, epochs, evaluations, checkpoints, events.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "config/spec.hpp"
#include "data/loader/loader.hpp"
#include "observe/bus.hpp"
#include "run/train/epoch_data_check.hpp"
#include "run/train/first_steps.hpp"
#include "run/train/run_events.hpp"
#include "run/train/run_folder.hpp"
#include "run/train/save_policy.hpp"
#include "run/train/step_account.hpp"
#include "run/train/step_driver.hpp"
#include "run/train/stop_request.hpp"
#include "run/train/timeline.hpp"
#include "run/train/training_batches.hpp"
#include "run/train/training_replicas.hpp"
#include "run/train/validation.hpp"
#include "run/train/window_reports.hpp"

namespace sluice::run {

enum class Outcome { finished, interrupted };

class Trainer {
public:
    // All references outlive the trainer; `validation` may be null. `saves_rest`: whether this process saves after
    // another was lost.
    Trainer(const config::PipelineSpec& spec, const TrainingReplicas& replicas, data::Loader& train,
            data::Loader* validation, observe::Bus& bus, const RunFolder& folder, std::function<bool()> saves_rest);

    // Trains from `progress` to the end. `before` is the pipeline that the run had until now, or null. Throws
    // Error(Exit::diverged) if the loss is not finite, or if too many steps in a row were skipped under a scaled loss,
    // and Error(Exit::save) if the final checkpoint could not be written.
    Outcome run(const Progress& progress, const config::PipelineSpec* before = nullptr);

    // Call it after run(); see RunEvents::emit_end().
    void emit_end(const std::string& how);

    // Writes the time of each step of run() into this log.
    void log_steps(StepLog log) { account_.log_steps(std::move(log)); }

    // How the time was spent so far.
    [[nodiscard]] const RunAccount& account() const { return account_.run(); }
    [[nodiscard]] std::string clock_cost() const { return account_.clock_cost(); }

    [[nodiscard]] const Progress& progress() const { return progress_; }

private:
    // The epoch and the step that the loop is in.
    struct Ongoing {
        double epoch_began = 0.0;  // as now(), later by the time of evaluations
        std::uint64_t epoch_samples = 0;
        bool is_step_ended = true;     // whether end_step() was called after the last step
        bool has_new_weights = false;  // that no event has shown
    };

    [[nodiscard]] bool begin(const config::PipelineSpec* before);
    Outcome train();
    [[nodiscard]] bool train_one_step();
    [[nodiscard]] std::uint64_t compute_batches(std::uint64_t batch_count);
    [[nodiscard]] const data::Batch& next_batch();
    [[nodiscard]] double status_for_ranks();
    void count_step(std::uint64_t batch_count, std::uint64_t samples);
    void finish_steps(std::size_t most_left = 0);
    void finish_oldest_step();
    void begin_recording();
    [[nodiscard]] ProfileWindows::MemoryPoint measure_memory() const;
    void end_step();
    void end_epoch();
    void follow_up();
    void evaluate_now();
    [[nodiscard]] Evaluation measure_validation();
    void handle_nonfinite_validation_loss(const Evaluation& evaluation);
    [[noreturn]] void give_up(const std::string& detail = {});
    void save(Saving saving);
    void save_after_lost_replica();

    const config::PipelineSpec& spec_;
    const TrainingReplicas& replicas_;
    StopRequest stop_;
    Timeline timeline_;
    StepDriver steps_;
    StepAccount account_;
    TrainingBatches batches_;
    EpochDataCheck digests_;
    Validation validation_;
    RunEvents events_;
    WindowReports window_reports_;
    SavePolicy save_policy_;
    FirstSteps first_steps_;
    Progress progress_;
    Ongoing ongoing_;
};

}  // namespace sluice::run
