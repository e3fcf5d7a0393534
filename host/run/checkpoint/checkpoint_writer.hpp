// Writes and names the checkpoints of a run. A save that fails is tried again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "registry/optional/processes.hpp"
#include "run/checkpoint/checkpoint.hpp"
#include "run/replica/replica_group.hpp"

namespace sluice::run {

// Who saves: all processes together at the same step, which succeed or fail as one; or (`alone`) this process only.
enum class Saving { periodic, final, alone };

class CheckpointWriter {
public:
    // The references must outlive this object. `folder` holds the checkpoints. Process 0 writes; the others only keep
    // the same counters.
    CheckpointWriter(const config::PipelineSpec& spec, const ReplicaGroup& replicas,
                     const registry::Processes& processes, std::filesystem::path folder);

    // Call it when the run resumes from a checkpoint of this step.
    void resume_from(std::uint64_t step) { saved_step_ = written_step_ = step; }
    // Makes this process the writer. The previous writer is lost, and perhaps also the file it was writing.
    void take_over() {
        writes_ = true;
        saved_step_ = written_step_;
    }
    // Step of the newest checkpoint.
    [[nodiscard]] std::uint64_t saved_step() const { return saved_step_; }
    // Marks the current weights as the best so far. The next checkpoint also gets the name `best`.
    void note_best() { best_is_new_ = true; }
    // Records that the best weights so far were not saved and that the next step changes them: no checkpoint has them.
    void lose_best(const Progress& progress);
    // Moves the file `best` to the folder `left`, since its score is from other data. A failure is logged.
    void leave_best() const;
    // True if a save is due after this step in any case: for new best weights, or because the last attempt failed.
    [[nodiscard]] bool is_owed() const { return best_is_new_ || failed_; }

    // True if every replica holds a part of the saved state, so that no process can save alone.
    [[nodiscard]] bool needs_all() const { return replicas_.first().network().weights().buckets().are_shared(); }
    using Written = std::function<void(const std::filesystem::path& file)>;
    // Returns true if the checkpoint was saved. A failure is logged; after the next success, so are lost best weights.
    // Throws Error(Exit::save) if the final save fails, Error(Exit::diverged) as save_checkpoint(), and
    // Error(Exit::replica_lost) if a replica or process that it needs is lost.
    // `written` is called before the file becomes `last`, so that observers' files are complete for each checkpoint of
    // that name, from which runs resume.
    bool save(const Progress& progress, Saving saving, const Written& written);
    // Saves weights that may themselves be faulty to a separate file next to the run's checkpoints. Returns text for a
    // message that names the file; empty if the save failed, which is logged.
    [[nodiscard]] std::string keep_before_skips(const Progress& progress) const;

private:
    [[nodiscard]] std::optional<FullOptimizerStates> gather_states() const;
    [[nodiscard]] std::string try_to_write(const Progress& progress, const Written& written);
    [[nodiscard]] std::string failure_of_all(const std::string& own) const;
    void write(const Progress& progress, const Written& written);

    const config::PipelineSpec& spec_;
    const ReplicaGroup& replicas_;
    const registry::Processes& processes_;
    std::filesystem::path folder_;
    bool writes_;
    std::uint64_t saved_step_ = 0;
    std::uint64_t written_step_ = 0;  // newest checkpoint that this process has written
    bool best_is_new_ = false;
    bool failed_ = false;                 // the last attempt failed
    std::vector<std::string> lost_best_;  // step and score of best weights that failed saves have lost
    bool keeps_too_many_ = false;         // old checkpoints could not be removed, and that was logged
};

}  // namespace sluice::run
