// When a training is saved, by which process, and which of its weights are the best.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "config/spec.hpp"
#include "registry/objects/processes.hpp"
#include "run/checkpoint/checkpoint_writer.hpp"
#include "run/replica/replica_group.hpp"
#include "run/train/run_events.hpp"

namespace sluice::run {

// `progress` of all functions is that of the weights as they are.
class SavePolicy {
public:
    // All outlive it. `folder`: of the checkpoints. `saves_rest`: whether this process saves after another was lost.
    SavePolicy(const config::PipelineSpec& spec, const ReplicaGroup& replicas, const registry::Processes& processes,
               const std::filesystem::path& folder, RunEvents& events, std::function<bool()> saves_rest);

    // The run begins at `progress`, which is saved already.
    void begin(const Progress& progress);
    // See CheckpointWriter::save().
    void save(const Progress& progress, Saving saving);
    // True if a save is due after this step: by checkpoint.every, for new best weights, or because the last one failed.
    [[nodiscard]] bool is_due(const Progress& progress) const;
    [[nodiscard]] bool is_saved(const Progress& progress) const { return progress.step == checkpoints_.saved_step(); }
    // Whether there is something to save that this process can save without the others.
    [[nodiscard]] bool may_save_alone(const Progress& progress) const;
    // The same after another process was lost, from whose checkpoints this one may have to take over.
    [[nodiscard]] bool may_save_after_loss(const Progress& progress);

    // The weights are the best so far: the next checkpoint becomes the best one.
    void note_best() { checkpoints_.note_best(); }
    // The best checkpoint, of `step`, was measured on other samples: warns, and moves it to checkpoints/left. Step 0:
    // there is none.
    void leave_best(std::uint64_t step);
    // The next step changes the weights: if they are the best and no save of them worked, the best is again that of
    // the file.
    void drop_unsaved_best(Progress& progress);
    // See CheckpointWriter::keep_before_skips().
    [[nodiscard]] std::string keep_before_skips(const Progress& progress) const {
        return checkpoints_.keep_before_skips(progress);
    }

private:
    struct Best {
        std::optional<double> score;
        std::uint64_t step = 0;
    };

    const config::PipelineSpec& spec_;
    const ReplicaGroup& replicas_;
    const registry::Processes& processes_;
    RunEvents& events_;
    CheckpointWriter checkpoints_;
    std::function<bool()> saves_rest_;
    Best saved_best_;  // of the best checkpoint
};

}  // namespace sluice::run
