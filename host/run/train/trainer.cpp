#include "run/train/trainer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/signals/stop_handler.hpp"
#include "profile/process_figures.hpp"
#include "profile/recorder.hpp"
#include "run/collective/timeouts.hpp"
#include "run/network/divergence.hpp"
#include "run/replica/step_faults.hpp"
#include "run/train/resume_changes.hpp"

namespace sluice::run {

Trainer::Trainer(const config::PipelineSpec& spec, const TrainingReplicas& replicas, data::Loader& train,
                 data::Loader* validation, observe::Bus& bus, const RunFolder& folder, std::function<bool()> saves_rest)
    : spec_(spec),
      replicas_(replicas),
      stop_(replicas.processes()),
      timeline_(spec, train.batches_per_epoch()),
      steps_(spec, replicas.group()),
      account_(spec, folder.path(), [this] { return measure_memory(); }),
      batches_(spec, train),
      digests_(spec, replicas.processes(), train, timeline_, stop_),
      validation_(spec, replicas.group(), replicas.processes(), validation),
      events_(spec, bus, folder.path()),
      window_reports_(replicas, account_, events_),
      save_policy_(spec, replicas.group(), replicas.processes(), folder.checkpoints(), events_, std::move(saves_rest)),
      first_steps_(spec, replicas.group(), replicas.processes(), replicas.world()) {}

Outcome Trainer::run(const Progress& progress, const config::PipelineSpec* before) {
    profile::name_thread(SLUICE_THREAD_LOOP, "training loop");
    const profile::LoopClock measured(&account_.clock());
    account_.begin();
    progress_ = progress;
    save_policy_.begin(progress);
    progress_.loss_scale = replicas_.group().first().training().loss_scaler().begin(progress.loss_scale);
    steps_.resume_from(progress_.loss_scale, progress_.updates());
    first_steps_.begin();
    if (!begin(before)) {
        return Outcome::interrupted;
    }
    events_.emit_begin(timeline_, progress_);
    account_.add(Phase::start);
    ongoing_.epoch_began = now();
    try {
        return train();
    } catch (const Error& error) {
        if (error.exit() == Exit::replica_lost) {
            save_after_lost_replica();
        }
        throw;
    }
}

// Fits the progress to data and pipeline as they are now, and goes to its next batch. Returns false if the run is to
// stop meanwhile.
bool Trainer::begin(const config::PipelineSpec* before) {
    const bool is_first = replicas_.processes().is_first();
    if (is_first) {
        account_.windows().drop_request();
    }
    account_.windows().drop_until(static_cast<std::int64_t>(progress_.step));
    for (const auto& warning : {fit_epoch(progress_, timeline_.batches_per_epoch(), batches_.order()),
                                fit_class_names(progress_, batches_.class_names())}) {
        if (warning && is_first) {
            log::warn(*warning);
        }
    }
    timeline_.begin(progress_);
    if (before != nullptr && is_first) {
        const double rate = timeline_.schedule().rate(progress_.updates(), progress_.plateau);
        for (const std::string& line : describe_changes(*before, spec_, progress_, rate)) {
            log::info(line);
        }
    }
    return digests_.seek(progress_, steps_.timeout());
}

ProfileWindows::MemoryPoint Trainer::measure_memory() const {
    const registry::Device& device = *replicas_.group().first().runner().device();
    const data::InputMemory input = batches_.memory();
    return {.resident = profile::resident_bytes(),
            .batches = input.batches,
            .cache = input.cache,
            .device = device.is_host_memory() ? 0 : device.blocks().now()};
}

void Trainer::emit_end(const std::string& how) {
    const profile::LoopClock measured(&account_.clock());
    account_.add(Phase::steps);
    account_.finish_windows();
    window_reports_.report(progress_);
    window_reports_.finish();
    account_.set_input_work(batches_.read_seconds(), batches_.preprocess_seconds());
    events_.emit_end(how, account_.run(), progress_);
    account_.add(Phase::end);
}

Outcome Trainer::train() {
    if (timeline_.last_step() == 0) {
        save(Saving::final);  // a run of no steps leaves the initial weights
    }
    // A finished run whose best was measured otherwise, or is lost, has no later evaluation that could find one.
    if (validation_.has_data() && progress_.step > 0 && timeline_.is_done(progress_) && !progress_.best) {
        progress_.owes_evaluation = true;
    }
    if (validation_.has_data() && progress_.owes_evaluation) {
        follow_up();
    }
    while (!stop_.is_made() && !timeline_.is_done(progress_)) {
        if (!train_one_step()) {
            break;
        }
        digests_.add_step(progress_, steps_.timeout());
        end_step();
        follow_up();
    }
    if (stop_.is_made() && !save_policy_.is_saved(progress_)) {
        save(Saving::final);
    }
    if (ongoing_.has_new_weights) {  // the epoch has not ended
        finish_steps();
        events_.emit_weights(replicas_.group().first().runner(), progress_);
    }
    return timeline_.is_done(progress_) && !progress_.owes_evaluation ? Outcome::finished : Outcome::interrupted;
}

// Returns false if the run is to stop and the data of the step do not come.
bool Trainer::train_one_step() {
    begin_recording();
    const std::uint64_t batch_count = timeline_.batches_of_step(progress_);
    std::uint64_t samples = 0;
    try {
        samples = compute_batches(batch_count);
    } catch (const data::Stopped&) {
        steps_.abandon_step();
        finish_steps();
        ongoing_.has_new_weights = false;  // the gradients are not those of a step
        return false;
    }
    try {
        steps_.update();
    } catch (const Error& error) {
        if (error.exit() == Exit::replica_lost) {
            count_step(batch_count, samples);  // the replicas that returned have done it
        }
        throw;
    }
    count_step(batch_count, samples);
    const bool ends_recording = account_.windows().changes_after(static_cast<std::int64_t>(progress_.step));
    finish_steps(ends_recording ? 0 : steps_.steps_ahead());
    if (account_.windows().has_news()) {
        finish_steps();  // since the report is no part of a step
        window_reports_.report(progress_);
    }
    return true;
}

// A window begins and ends between steps, so none is in flight then.
void Trainer::begin_recording() {
    ProfileWindows& windows = account_.windows();
    const auto step = static_cast<std::int64_t>(progress_.step) + 1;
    if (replicas_.processes().count() == 1) {
        if (const std::int64_t wanted = windows.poll(account_.clock().taken_at()); wanted > 0) {
            windows.request(step - 1, wanted);
        }
    }
    if (windows.changes_before(step)) {
        finish_steps();
    }
    account_.begin_step(step, replicas_.group(), replicas_.processes());
}

// Puts forward and backward of the next `batch_count` batches on the devices. Returns how many samples they have.
std::uint64_t Trainer::compute_batches(std::uint64_t batch_count) {
    // Each step that is still on the devices may yet be skipped.
    const Rates rates =
        timeline_.schedule().rates(progress_.updates() - account_.in_flight().count() + 1, progress_.plateau);
    std::uint64_t samples = 0;
    for (std::uint64_t number = 0; number < batch_count; ++number) {
        const data::Batch& batch = next_batch();
        if (progress_.step == 0 && number == 0) {
            events_.emit_first_batch(batch, progress_);
        }
        const StepBatch which{.step = progress_.step + 1,
                              .number = number,
                              .is_last = number + 1 == batch_count,
                              .status = status_for_ranks(),
                              .rates = rates};
        steps_.prepare(batch, number);
        if (first_steps_.measures(batch)) {
            const StepAccount::PhaseScope phase(account_, Phase::steps);  // but it is no part of this step
            const profile::StageScope stage(profile::Stage::exchange);    // the loop waits for the replicas
            first_steps_.add_batch(batch, which);
        }
        steps_.compute(batch, which);
        samples += static_cast<std::uint64_t>(batch.count);
    }
    return samples;
}

// A sample that cannot be used stops the run. What was trained so far is saved first.
const data::Batch& Trainer::next_batch() {
    try {
        return batches_.next();
    } catch (const Error& error) {
        if (error.exit() == Exit::replica_lost) {
            throw Error(error.exit(), fmt::format("{}; it was missed in step {}, for which the others had no data yet",
                                                  error.what(), progress_.step + 1));
        }
        steps_.abandon_step();
        finish_steps();
        if (save_policy_.may_save_alone(progress_)) {
            save(Saving::alone);
        }
        throw;
    }
}

// While all processes have the data of their next steps, none waits for them.
double Trainer::status_for_ranks() {
    if (stop_signal() != 0) {
        return rank_status::kStop;
    }
    if (replicas_.processes().count() == 1) {
        return rank_status::kNothing;
    }
    if (replicas_.processes().is_first()) {
        if (const std::int64_t wanted = account_.windows().poll(account_.clock().taken_at()); wanted > 0) {
            return rank_status::record(wanted);
        }
    }
    const bool has_input = batches_.are_ready(1 + steps_.steps_ahead());
    return has_input ? rank_status::kNothing : rank_status::kLacksInput;
}

// Counts a step that was put on the devices.
void Trainer::count_step(std::uint64_t batch_count, std::uint64_t samples) {
    ongoing_.is_step_ended = false;
    ongoing_.has_new_weights = true;
    save_policy_.drop_unsaved_best(progress_);
    ++progress_.step;
    progress_.batch += batch_count;
    ongoing_.epoch_samples += samples;
    account_.in_flight().add({.epoch = epoch_of_last_step(progress_),
                              .step = static_cast<std::int64_t>(progress_.step),
                              .batch_count = batch_count,
                              .samples = samples});
}

// Waits for steps that are on the devices, until at most `most_left` are.
void Trainer::finish_steps(std::size_t most_left) {
    while (account_.in_flight().count() > most_left) {
        finish_oldest_step();
    }
}

void Trainer::finish_oldest_step() {
    const StepInFlight step = account_.in_flight().take_oldest();
    const StepResult result = steps_.finish_step();
    if (std::isfinite(result.loss.sum)) {
        progress_.epoch_loss.sum += result.loss.sum;
        progress_.epoch_loss.weight += result.loss.weight;
    }
    progress_.loss_scale = result.scale;
    stop_.note(result.stops);
    steps_.set_input_timeout(result.lacks_input ? input_timeout(spec_.data) : 0.0);
    const profile::StageSeconds seconds = account_.end_step(step.step, result.on_device);
    if (result.recorded_steps > 0) {
        account_.windows().request(static_cast<std::int64_t>(progress_.step), result.recorded_steps);
    }
    events_.emit_step(step, result, seconds, replicas_.group().first().training().loss_scaler().scales(),
                      batches_.awaited_stage(seconds));
    first_steps_.add_step(step, seconds, steps_.timeout());
    if (result.gives_up) {
        give_up();
    }
}

// Does what follows from a step, also from the last that could be done before an error.
void Trainer::end_step() {
    ongoing_.is_step_ended = true;
    if (timeline_.is_epoch_done(progress_)) {
        end_epoch();
    }
    progress_.owes_evaluation = validation_.has_data() && is_evaluation_due(spec_, timeline_, progress_);
}

void Trainer::end_epoch() {
    finish_steps();
    const std::string digest = batches_.digest();
    if (!digest.empty()) {
        log::debug(fmt::format("epoch {}: sha256 of its samples {}", progress_.epoch + 1, digest));
    }
    events_.emit_epoch_end(digest, now() - ongoing_.epoch_began, ongoing_.epoch_samples, progress_);
    events_.emit_weights(replicas_.group().first().runner(), progress_);
    ongoing_.has_new_weights = false;
    ++progress_.epoch;
    progress_.batch = 0;
    progress_.epoch_loss = {};
    ongoing_.epoch_began = now();
    ongoing_.epoch_samples = 0;
}

// Evaluates, then saves, if they are due. A run that is to stop saves at once, and evaluates when it resumes.
void Trainer::follow_up() {
    if (validation_.waits_for_update()) {
        finish_steps();
    }
    if (validation_.check_if_due(progress_, progress_.step == timeline_.last_step()) && !stop_.is_made()) {
        evaluate_now();
    }
    const bool is_last = stop_.is_made() || progress_.step == timeline_.last_step();
    if (is_last || save_policy_.is_due(progress_)) {
        save(is_last ? Saving::final : Saving::periodic);
    }
}

void Trainer::evaluate_now() {
    finish_steps();
    const StepAccount::PhaseScope phase(account_, Phase::evaluation);
    const profile::Recording span(SLUICE_SPAN_EVALUATION, "evaluation");
    batches_.note_pause();
    const double began = now();
    const Evaluation evaluation = measure_validation();
    if (stop_.is_made()) {
        return;  // the evaluation is incomplete, and nothing is judged by it
    }
    if (!std::isfinite(evaluation.loss.mean())) {
        handle_nonfinite_validation_loss(evaluation);
        return;
    }
    progress_.owes_evaluation = false;
    const std::uint64_t best_step = progress_.best ? progress_.best_step : 0;
    if (note_validation_samples(progress_, validation_.sha256())) {
        save_policy_.leave_best(best_step);
    }
    const bool is_best = note_score(spec_, evaluation, progress_);
    if (is_best) {
        save_policy_.note_best();
    }
    events_.emit_evaluation(evaluation, is_best, progress_);
    ongoing_.epoch_began += now() - began;  // the epoch's rate is that of training
}

Evaluation Trainer::measure_validation() {
    try {
        return validation_.measure([this] { return stop_.ask_all(); });
    } catch (const Error& error) {
        if (error.exit() == Exit::data && save_policy_.may_save_alone(progress_)) {
            save(Saving::alone);
        }
        throw;
    }
}

// Stops the run, unless steps are being skipped: then the evaluation waits for one that changes the weights.
void Trainer::handle_nonfinite_validation_loss(const Evaluation& evaluation) {
    if (progress_.loss_scale.skips_in_row == 0) {
        throw Error(
            Exit::diverged,
            why_it_diverged(fmt::format("the validation loss after step {}", progress_.step), evaluation.loss.mean(),
                            replicas_.group().first().runner().used().plan.graph, evaluation.not_finite));
    }
    if (progress_.step == timeline_.last_step()) {
        give_up(fmt::format(", and the validation loss after step {} is {}", progress_.step, evaluation.loss.mean()));
    }
    validation_.postpone_until_update();
}

// The weights are those of the last good step: steps that are still on the devices change nothing any more.
void Trainer::give_up(const std::string& detail) {
    Progress resumable = account_.in_flight().position_before(progress_);
    resumable.loader_state = batches_.loader_state_at(resumable.batch);
    resumable.loss_scale.skips_in_row = 0;
    resumable.owes_evaluation = false;
    const std::string kept = save_policy_.checkpoints().keep_before_skips(resumable);
    StepFaults& faults = replicas_.group().overflowed().training().faults();
    throw Error(Exit::diverged, faults.why_it_gives_up(progress_.loss_scale, detail) + kept);
}

void Trainer::save(Saving saving) {
    finish_steps();
    const StepAccount::PhaseScope phase(account_, Phase::checkpoints);
    const profile::StageScope stage(profile::Stage::storage);
    const profile::Recording span(SLUICE_SPAN_STORAGE, "checkpoint");
    batches_.note_pause();
    progress_.loader_state = batches_.loader_state_at(progress_.batch);
    save_policy_.save(progress_, saving);
}

// The step that a lost replica broke off has changed no weights.
void Trainer::save_after_lost_replica() {
    if (!save_policy_.take_over_if_asked(progress_)) {
        return;
    }
    steps_.abandon_step();
    if (!ongoing_.is_step_ended) {
        end_step();
    }
    save(Saving::alone);
}

}  // namespace sluice::run
