// What a training saves, and what it saves before an error ends it.
#include <fmt/format.h>

#include <chrono>
#include <tuple>

#include "base/error.hpp"
#include "base/log.hpp"
#include "run/train/trainer.hpp"

namespace sluice::run {

// Of a run that lost a replica: the step that it broke off has changed no weights. Not where the lost one had a part of
// the optimizer's states.
void Trainer::save_rest() {
    if (checkpoints_.needs_all() || !replicas_.first().device().is_host_memory()) {
        return;
    }
    if (saves_rest_()) {
        checkpoints_.take_over();
    }
    if (progress_.step > checkpoints_.saved_step()) {
        steps_.abandon_step();
        if (!step_is_ended_) {
            end_step();
        }
        save(Saving::alone);
    }
}

// A sample that cannot be used ends the run: what was trained so far is saved first.
const data::Batch& Trainer::next_or_save() {
    try {
        return train_.next();
    } catch (const Error& error) {
        if (error.exit() == Exit::worker_lost) {
            throw Error(error.exit(), fmt::format("{}; it was missed in step {}, for which the others had no data yet",
                                                  error.what(), progress_.step + 1));
        }
        steps_.abandon_step();
        finish_steps_on_device();
        save_alone();
        throw;
    }
}

Evaluation Trainer::evaluate_or_save() {
    try {
        return evaluate(replicas_, processes_, *validation_, bad_validation_, evaluation_pace_,
                        [this] { return asks_to_stop(); });
    } catch (const Error& error) {
        if (error.exit() == Exit::data) {
            save_alone();
        }
        throw;
    }
}

// Where the other processes do not save as well.
void Trainer::save_alone() {
    if (progress_.step > checkpoints_.saved_step() && (processes_.count() == 1 || !checkpoints_.needs_all())) {
        save(Saving::alone);
    }
}

// What a run needs to know that goes on with this batch of the epoch.
data::LoaderPast Trainer::past_of(std::uint64_t batch) const {
    data::LoaderPast past = train_.past();
    if (past.digested > batch) {  // of a step that was not done
        past.digest_state.clear();
    }
    return past;
}

void Trainer::save(Saving saving) {
    finish_steps_on_device();
    train_.note_pause();
    progress_.data_past = past_of(progress_.batch);
    // What observers write of the steps before a checkpoint is complete before a run can go on from it.
    constexpr std::chrono::seconds kPatience(10);
    const bool is_saved = checkpoints_.save(progress_, saving, [&](const std::filesystem::path& file) {
        emit(SLUICE_EVENT_CHECKPOINT, file.string(), {});
        if (!observers_are_late_ && !bus_.flush(kPatience)) {
            observers_are_late_ = true;
            log::warn(
                fmt::format("observers are more than {} s late: saving no longer waits for them, and a run that is "
                            "killed may lack some of their lines",
                            kPatience.count()));
        }
    });
    if (is_saved) {
        saved_best_ = {progress_.best, progress_.best_step};
    }
}

// The next step changes the weights: no later save can name them the best.
void Trainer::lose_unsaved_best() {
    if (progress_.best && progress_.best_step != saved_best_.second) {
        checkpoints_.lose_best(progress_);
        std::tie(progress_.best, progress_.best_step) = saved_best_;
    }
}

}  // namespace sluice::run
