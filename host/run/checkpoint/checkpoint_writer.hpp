// Writes the checkpoints of a run as it goes on, and gives them their names. A save that fails is tried again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "registry/objects/processes.hpp"
#include "run/checkpoint/checkpoint.hpp"
#include "run/replica/replica_group.hpp"

namespace sluice::run {

// How a checkpoint comes about: with the other processes, which come to the same one and fail as one; or without them.
enum class Saving { going_on, final, alone };

class CheckpointWriter {
public:
    // All outlive it. `folder`: of the checkpoints. Of several processes the first writes, and the others keep count.
    CheckpointWriter(const config::PipelineSpec& spec, const ReplicaGroup& replicas,
                     const registry::Processes& processes, std::filesystem::path folder);

    // The run goes on from a checkpoint of that step.
    void go_on_from(std::uint64_t step) { saved_step_ = written_step_ = step; }
    // This process writes from now on: the one that did is lost, and with it perhaps what it was writing.
    void take_over() {
        writes_ = true;
        saved_step_ = written_step_;
    }
    // Of the newest checkpoint.
    [[nodiscard]] std::uint64_t saved_step() const { return saved_step_; }
    // The weights as they are now are the best so far: the next checkpoint is named so.
    void note_best() { best_is_new_ = true; }
    // The weights change, and those of this step, the best so far, were not saved: no checkpoint will have them.
    void lose_best(const Progress& progress);
    // What is named so moves to the folder `left`, since its score is of other data. A failure is logged.
    void leave_best() const;
    // Whether one is due after this step in any case: of the best weights, or because the last try failed.
    [[nodiscard]] bool is_owed() const { return best_is_new_ || failed_; }

    // Whether all replicas have a part in what is saved: then no process saves alone.
    [[nodiscard]] bool needs_all() const { return replicas_.first().weights().buckets().are_shared(); }
    using Written = std::function<void(const std::filesystem::path& file)>;
    // Whether it is saved. A failure is logged, and so are the best weights that were lost once a save works again.
    // Throws Error(Exit::save) if the final save fails, Error(Exit::diverged) as save_checkpoint(), and
    // Error(Exit::worker_lost) if a replica or process that it needs is lost. `written` gets the file before it is
    // `last`: what it logs is complete for each checkpoint from which a run can go on.
    bool save(const Progress& progress, Saving saving, const Written& written);
    // Keeps weights that may be at fault themselves in a file of their own, beside the run's checkpoints. Returns
    // where, for a message; nothing where that failed, which is said.
    [[nodiscard]] std::string keep_before_skips(const Progress& progress) const;

private:
    [[nodiscard]] std::optional<WholeStates> gather_states() const;
    [[nodiscard]] std::string try_to_write(const Progress& progress, const Written& written);
    [[nodiscard]] std::string failure_of_all(const std::string& own) const;
    void write(const Progress& progress, const Written& written);

    const config::PipelineSpec& spec_;
    const ReplicaGroup& replicas_;
    const registry::Processes& processes_;
    std::filesystem::path folder_;
    bool writes_;
    std::uint64_t saved_step_ = 0;
    std::uint64_t written_step_ = 0;  // by this process
    bool best_is_new_ = false;
    bool failed_ = false;                 // the last try
    std::vector<std::string> lost_best_;  // step and score of best weights that failed saves have lost
    bool keeps_too_many_ = false;         // since old ones could not be removed, which was logged
};

}  // namespace sluice::run
