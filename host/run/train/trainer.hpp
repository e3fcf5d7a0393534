// The training loop: steps, epochs, evaluations, checkpoints, events.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/loader/loader.hpp"
#include "observe/bus.hpp"
#include "run/checkpoint/checkpoint_writer.hpp"
#include "run/network/schedule.hpp"
#include "run/train/bucket_tuner.hpp"
#include "run/train/evaluation.hpp"
#include "run/train/folder.hpp"
#include "run/train/scaling_report.hpp"
#include "run/train/step_driver.hpp"
#include "run/train/training_replicas.hpp"

namespace sluice::run {

enum class Ending { finished, interrupted };

class Trainer {
public:
    // All references outlive the trainer; `validation` may be null. `saves_rest`: whether it falls to this process to
    // save when another was lost.
    Trainer(const config::PipelineSpec& spec, const TrainingReplicas& replicas, data::Loader& train,
            data::Loader* validation, observe::Bus& bus, const RunFolder& folder, std::function<bool()> saves_rest);

    // Trains from `progress` to the end. Throws Error(Exit::diverged) where the loss is not finite, or under a scaled
    // loss too many steps in a row had to be skipped, and Error(Exit::save) where the final checkpoint could not be
    // written. `before`, which may be null: the pipeline that the run had until now.
    Ending run(const Progress& progress, const config::PipelineSpec* before = nullptr);

    [[nodiscard]] const Progress& progress() const { return progress_; }

private:
    // A step whose result is not known yet.
    struct StepOnDevice {
        std::int64_t epoch;
        std::int64_t step;
        std::uint64_t parts;  // batches
        double began;         // seconds of the clock
        double data_seconds;  // that it waited for data
        std::uint64_t samples;
    };

    Ending train();
    [[nodiscard]] bool go_to_next_batch();
    void warn(const std::string& text) const;
    [[nodiscard]] bool make_again(std::uint64_t batches);
    [[nodiscard]] bool compare_beginning();
    void save_rest();
    void fit_epoch();
    void fit_class_names();
    void log_changes(const config::PipelineSpec& before) const;
    void fit_length();
    [[nodiscard]] bool train_one_step();
    void compute_parts(std::uint64_t parts);
    void count_step(std::uint64_t parts, double start);
    // Waits for the steps that are on the device, until at most `most` are.
    void finish_steps_on_device(std::size_t most = 0);
    void finish_oldest_step();
    [[nodiscard]] double word_to_others() const;
    [[nodiscard]] const data::Batch& next_batch();
    [[nodiscard]] const data::Batch& next_or_save();
    [[nodiscard]] Evaluation evaluate_or_save();
    void save_alone();
    void show_first(const data::Batch& batch);
    [[noreturn]] void give_up(const std::string& moreover = {});
    void meet_overflow(const Evaluation& evaluation);
    void tell_of_replicas(const StepOnDevice& step, double seconds);
    void emit_step(const StepOnDevice& step, const StepResult& result, double seconds);
    void end_step();
    void finish_step();
    void end_epoch();
    void join_hashes();
    void join_own_hashes();
    void expect_one_digest() const;
    [[nodiscard]] double data_patience() const;
    void evaluate_now();
    void compare_validation_data();
    void judge(const Evaluation& evaluation);
    [[nodiscard]] data::LoaderPast past_of(std::uint64_t batch) const;
    void save(Saving saving);
    void lose_unsaved_best();
    void emit(std::uint32_t kind, std::string text, std::vector<std::pair<std::string, double>> scalars);
    void emit_pictures(const std::string& name, std::vector<std::pair<std::string, HostTensor>> pictures);
    [[nodiscard]] std::int64_t epoch_of_step() const;
    [[nodiscard]] bool asks_to_stop();
    [[nodiscard]] bool stops() const;
    [[nodiscard]] bool due(const config::Interval& every) const;

    const config::PipelineSpec& spec_;
    const ReplicaGroup& replicas_;
    const registry::Processes& processes_;
    StepDriver steps_;
    BucketTuner buckets_;
    ScalingReport scaling_;
    CheckpointWriter checkpoints_;
    data::Loader& train_;
    data::Loader* validation_;
    data::BadSamples bad_validation_;
    EvaluationPace evaluation_pace_;
    observe::Bus& bus_;
    const RunFolder& folder_;
    std::function<bool()> saves_rest_;
    std::uint64_t batches_per_epoch_;
    std::uint64_t accumulate_;  // batches a step; the last step of an epoch takes what is left
    std::uint64_t steps_per_epoch_;
    std::uint64_t stop_at_ = 0;  // where this run stops
    std::optional<Schedule> schedule_;
    Progress progress_;
    std::pair<std::optional<double>, std::uint64_t> saved_best_;  // score and step of the file `best`
    bool observers_are_late_ = false;                             // once they were: a save does not wait for them
    std::optional<data::Batch> only_batch_;
    double data_seconds_ = 0.0;  // that the step at hand waited for data
    std::uint64_t step_samples_ = 0;
    bool step_is_ended_ = true;
    double epoch_began_ = 0.0;
    std::uint64_t epoch_samples_ = 0;
    std::vector<StepOnDevice> on_device_;  // the oldest first; a few
    double last_finished_ = 0.0;           // when the last result came, by the clock
    bool all_stop_ = false;                // where there are several processes: one of them has asked to
    bool waits_for_update_ = false;        // the evaluation that is owed: with these weights its loss was not finite
};

}  // namespace sluice::run
