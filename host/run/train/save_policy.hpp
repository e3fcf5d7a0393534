// When a training is saved, by which process, and which of its weights are the best.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "config/spec.hpp"
#include "registry/optional/processes.hpp"
#include "run/checkpoint/checkpoint_writer.hpp"
#include "run/replica/replica_group.hpp"
#include "run/train/run_events.hpp"

namespace sluice::run {

// Each function takes the progress that belongs to the current weights.
class SavePolicy {
public:
    // All references must outlive this object. `saves_rest` returns whether this process saves after another was lost.
    SavePolicy(const config::PipelineSpec& spec, const ReplicaGroup& replicas, const registry::Processes& processes,
               const std::filesystem::path& folder, RunEvents& events, std::function<bool()> saves_rest);

    // Begins at `progress`, which is saved already.
    void begin(const Progress& progress);
    // See CheckpointWriter::save().
    void save(const Progress& progress, Saving saving);
    // True if a save is due after this step: by checkpoint.every, for new best weights, or because the last one failed.
    [[nodiscard]] bool is_due(const Progress& progress) const;
    [[nodiscard]] bool is_saved(const Progress& progress) const { return progress.step == checkpoints_.saved_step(); }
    // Returns true if something is unsaved that this process can save without the others.
    [[nodiscard]] bool may_save_alone(const Progress& progress) const;
    // The same after another process was lost. This process then takes over the checkpoints if it has to.
    [[nodiscard]] bool take_over_if_asked(const Progress& progress);

    // Marks the weights as the best so far, so that the next checkpoint becomes the best one.
    void note_best() { checkpoints_.note_best(); }
    // Warns that the best checkpoint, of `step`, was measured on other samples, and moves it to checkpoints/left. Does
    // nothing for step 0, which means that there is none.
    void leave_best(std::uint64_t step);
    // Call it before a step changes the weights. If they are the best and were not saved, the best score is again that
    // of the file.
    void drop_unsaved_best(Progress& progress);
    // Only this object changes the writer.
    [[nodiscard]] const CheckpointWriter& checkpoints() const { return checkpoints_; }

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
