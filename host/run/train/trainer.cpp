#include "run/train/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "run/collective/sharing.hpp"
#include "run/membership/agreement.hpp"
#include "run/network/overflow.hpp"
#include "run/train/signals.hpp"

namespace sluice::run {

Trainer::Trainer(const config::PipelineSpec& spec, const TrainingReplicas& replicas, data::Loader& train,
                 data::Loader* validation, observe::Bus& bus, const RunFolder& folder, std::function<bool()> saves_rest)
    : spec_(spec),
      replicas_(replicas.group()),
      processes_(replicas.processes()),
      steps_(spec, replicas_),
      buckets_(spec, replicas_, processes_, replicas.world()),
      scaling_(spec, replicas_, processes_, replicas.world()),
      checkpoints_(spec, replicas_, processes_, folder.checkpoints()),
      train_(train),
      validation_(validation),
      bad_validation_(spec.data.skip_bad),
      evaluation_pace_(spec.sharing.deadline),
      bus_(bus),
      folder_(folder),
      saves_rest_(std::move(saves_rest)),
      batches_per_epoch_(train.batches_per_epoch()),
      accumulate_(static_cast<std::uint64_t>(spec.train.accumulate)),
      steps_per_epoch_((batches_per_epoch_ + accumulate_ - 1) / accumulate_) {
    if (steps_per_epoch_ == 0) {
        throw Error(Exit::data, "the training data has no samples");
    }
}

Ending Trainer::run(const Progress& progress, const config::PipelineSpec* before) {
    progress_ = progress;
    saved_best_ = {progress.best, progress.best_step};
    progress_.loss_scale = replicas_.first().loss_scaler().begin(progress.loss_scale);
    steps_.go_on_from(progress_.loss_scale, progress_.updates());
    checkpoints_.go_on_from(progress.step);
    buckets_.begin();
    fit_epoch();
    fit_class_names();
    fit_length();
    if (before != nullptr) {
        log_changes(*before);
    }
    if (!go_to_next_batch()) {
        return Ending::interrupted;
    }
    emit(SLUICE_EVENT_RUN_BEGIN, folder_.path().string(),
         {{"epochs", static_cast<double>(spec_.train.epochs)},
          {"steps", static_cast<double>(stop_at_)},
          {"steps_per_epoch", static_cast<double>(steps_per_epoch_)},
          {"batch", static_cast<double>(spec_.data.batch * spec_.train.accumulate)},
          {"first_step", static_cast<double>(progress_.step)}});
    epoch_began_ = now();
    try {
        return train();
    } catch (const Error& error) {
        if (error.exit() == Exit::worker_lost) {
            save_rest();
        }
        throw;
    }
}

Ending Trainer::train() {
    if (stop_at_ == 0) {
        save(Saving::final);  // a run of no steps leaves the initial weights
    }
    // A finished run whose best was measured otherwise, or is lost, has no later evaluation that could find one.
    if (validation_ != nullptr && progress_.step > 0 && progress_.step >= stop_at_ && !progress_.best) {
        progress_.owes_evaluation = true;
    }
    if (progress_.owes_evaluation && validation_ != nullptr) {
        finish_step();
    }
    while (!stops() && progress_.step < stop_at_) {
        if (!train_one_step()) {
            break;
        }
        join_hashes();
        end_step();
        finish_step();
    }
    if (stops() && progress_.step != checkpoints_.saved_step()) {
        save(Saving::final);
    }
    return progress_.step >= stop_at_ && !progress_.owes_evaluation ? Ending::finished : Ending::interrupted;
}

// How many steps the whole training has: those that were done, and those that its epochs still need.
void Trainer::fit_length() {
    const std::uint64_t rest = (batches_per_epoch_ - progress_.batch + accumulate_ - 1) / accumulate_;
    const std::uint64_t begun = steps_per_epoch_ - rest;
    const auto epochs = static_cast<std::uint64_t>(spec_.train.epochs);
    const std::uint64_t left =
        epochs > progress_.epoch ? (epochs - progress_.epoch) * steps_per_epoch_ - begun : std::uint64_t{0};
    const std::uint64_t length = progress_.step + left;
    stop_at_ = spec_.train.steps ? std::min(static_cast<std::uint64_t>(*spec_.train.steps), length) : length;
    const bool is_changed = progress_.step != progress_.epoch * steps_per_epoch_ + begun;
    const EpochStart start{.epoch = progress_.epoch,
                           .update = static_cast<std::int64_t>(progress_.updates()) - static_cast<std::int64_t>(begun)};
    schedule_.emplace(spec_.schedule, scaled_rate(spec_), length, steps_per_epoch_, is_changed ? start : EpochStart{});
}

// What follows from a step, also where it was the last that could be done.
void Trainer::end_step() {
    step_is_ended_ = true;
    if (progress_.batch == batches_per_epoch_) {
        end_epoch();
    }
    const bool waits = progress_.owes_evaluation || due(spec_.evaluate_every) || progress_.step == stop_at_;
    progress_.owes_evaluation = validation_ != nullptr && waits;
}

// What is due after a step: its evaluation, then its checkpoint. A run that is asked to stop saves at once and
// evaluates when it is resumed.
void Trainer::finish_step() {
    if (waits_for_update_) {
        finish_steps_on_device();
    }
    waits_for_update_ = waits_for_update_ && progress_.loss_scale.skips_in_row > 0 && progress_.step != stop_at_;
    if (progress_.owes_evaluation && !waits_for_update_ && !stops()) {
        evaluate_now();
    }
    const bool last = stops() || progress_.step == stop_at_;
    if (last || checkpoints_.is_owed() || due(spec_.checkpoint.every)) {
        save(last ? Saving::final : Saving::going_on);
    }
}

const data::Batch& Trainer::next_batch() {
    if (only_batch_) {
        return *only_batch_;
    }
    const data::Batch& batch = next_or_save();
    data_seconds_ += train_.waited();
    return spec_.train.overfit_one_batch ? only_batch_.emplace(batch) : batch;
}

// While all processes have the data of their next steps, none waits for them.
double Trainer::word_to_others() const {
    if (stop_signal() != 0) {
        return word::kStop;
    }
    const bool has_input =
        processes_.count() == 1 || only_batch_ || train_.ready() >= accumulate_ * (1 + steps_.steps_ahead());
    return has_input ? word::kNothing : word::kLacksInput;
}

// Puts forward and backward of the next `parts` batches on the device.
void Trainer::compute_parts(std::uint64_t parts) {
    // Each step on the device may yet be skipped.
    const Rates rates = schedule_->rates(progress_.updates() - on_device_.size() + 1, progress_.plateau);
    step_samples_ = 0;
    for (std::uint64_t part = 0; part < parts; ++part) {
        const data::Batch& batch = next_batch();
        if (progress_.step == 0 && part == 0 && bus_.wanted(SLUICE_EVENT_SAMPLES)) {
            show_first(batch);
        }
        const StepPart which{.step = progress_.step + 1,
                             .part = part,
                             .is_last = part + 1 == parts,
                             .said = word_to_others(),
                             .rates = rates};
        steps_.prepare(batch, part);
        if (scaling_.wants_batch() && batch.count == spec_.data.batch) {
            scaling_.measure(batch, which);
        }
        steps_.compute(batch, which);
        step_samples_ += static_cast<std::uint64_t>(batch.count);
    }
}

// False where the run is to stop and its data do not come.
bool Trainer::train_one_step() {
    const double start = now();
    const std::uint64_t parts = std::min(accumulate_, batches_per_epoch_ - progress_.batch);
    try {
        compute_parts(parts);
    } catch (const data::Stopped&) {
        steps_.abandon_step();
        finish_steps_on_device();
        return false;
    }
    try {
        steps_.update();
    } catch (const Error& error) {
        if (error.exit() == Exit::worker_lost) {
            count_step(parts, start);  // those that came back have done it
        }
        throw;
    }
    count_step(parts, start);
    finish_steps_on_device(steps_.steps_ahead());
    return true;
}

// What was put on the devices.
void Trainer::count_step(std::uint64_t parts, double start) {
    step_is_ended_ = false;
    lose_unsaved_best();
    ++progress_.step;
    progress_.batch += parts;
    epoch_samples_ += step_samples_;
    on_device_.push_back({.epoch = epoch_of_step(),
                          .step = static_cast<std::int64_t>(progress_.step),
                          .parts = parts,
                          .began = start,
                          .data_seconds = data_seconds_,
                          .samples = step_samples_});
    data_seconds_ = 0.0;
}

void Trainer::finish_steps_on_device(std::size_t most) {
    while (on_device_.size() > most) {
        finish_oldest_step();
    }
}

void Trainer::finish_oldest_step() {
    const StepOnDevice step = on_device_.front();
    on_device_.erase(on_device_.begin());
    const StepResult result = steps_.finish_step();
    if (std::isfinite(result.loss.sum)) {
        progress_.epoch_loss.sum += result.loss.sum;
        progress_.epoch_loss.weight += result.loss.weight;
    }
    progress_.loss_scale = result.scale;
    all_stop_ = all_stop_ || result.stops;
    steps_.wait_for_input(result.lacks_input ? input_patience(spec_.data) : 0.0);
    const double end = now();
    const double seconds = end - std::max(step.began, last_finished_);
    if (bus_.wanted(SLUICE_EVENT_STEP)) {
        emit_step(step, result, seconds);
    }
    tell_of_replicas(step, seconds);
    last_finished_ = end;
    if (replicas_.first().loss_scaler().gives_up(progress_.loss_scale)) {
        give_up();
    }
}

// The weights are those of the last good step: steps that are still on the device change nothing any more.
void Trainer::give_up(const std::string& moreover) {
    Progress resumable = progress_;
    for (const StepOnDevice& step : on_device_) {
        --resumable.step;
        resumable.batch -= step.parts;
    }
    resumable.data_past = past_of(resumable.batch);
    resumable.loss_scale.skips_in_row = 0;
    resumable.owes_evaluation = false;
    const std::string kept = checkpoints_.keep_before_skips(resumable);
    Replica& at_fault = replicas_.overflowed();
    throw Error(Exit::diverged, why_it_gives_up(replicas_.first().loss_scaler(), progress_.loss_scale,
                                                at_fault.overflow_place() + moreover, at_fault.overflowed_forward()) +
                                    kept);
}

// progress_.batch equals batches_per_epoch_: the epoch's last step is done.
void Trainer::end_epoch() {
    finish_steps_on_device();
    const double seconds = now() - epoch_began_;
    const std::string digest = spec_.train.overfit_one_batch ? "" : train_.digest();
    if (!digest.empty()) {
        log::debug(fmt::format("epoch {}: sha256 of its samples {}", progress_.epoch + 1, digest));
    }
    emit(SLUICE_EVENT_EPOCH_END, digest,
         {{"loss", progress_.epoch_loss.mean()},
          {"seconds", seconds},
          {"samples_per_second", static_cast<double>(epoch_samples_) / std::max(seconds, 1e-9)}});
    ++progress_.epoch;
    progress_.batch = 0;
    progress_.epoch_loss = {};
    epoch_samples_ = 0;
    epoch_began_ = now();
}

// Of all processes, behind the same steps: at an epoch's end, before a checkpoint, and else so often that not many
// batches have to be made again by a run that goes on from a checkpoint that was not expected.
void Trainer::join_hashes() {
    constexpr std::uint64_t kBatches = 64;
    const bool is_beginning = progress_.batch == std::min(accumulate_, batches_per_epoch_);
    const bool is_time = is_beginning || progress_.batch == batches_per_epoch_ || stops() ||
                         progress_.step == stop_at_ ||
                         progress_.step % std::max<std::uint64_t>(kBatches / accumulate_, 1) == 0 ||
                         due(spec_.checkpoint.every) || due(spec_.evaluate_every);
    if (train_.makes_all() && progress_.batch == batches_per_epoch_) {
        expect_one_digest();
    }
    if (!train_.makes_all() && !spec_.train.overfit_one_batch && is_time) {
        join_own_hashes();
    }
    if (is_beginning && !spec_.train.overfit_one_batch) {
        progress_.data = {train_.order_witness(), progress_.batch, train_.digest()};
    }
}

void Trainer::join_own_hashes() {
    train_.join_hashes(processes_.gather_texts(train_.own_hashes(), "the hashes of samples", data_patience()));
}

// Another process may still wait for the samples of steps that are on the way.
double Trainer::data_patience() const {
    const double patience = steps_.patience();
    return patience > 0.0 ? std::max(patience, input_patience(spec_.data)) : 0.0;
}

// Each process has made all samples of the epoch.
void Trainer::expect_one_digest() const {
    const std::vector<std::string> all =
        processes_.gather_texts(train_.digest(), "the sha256 of the samples", data_patience());
    const auto other = std::ranges::find_if(all, [&](const std::string& one) { return one != all.front(); });
    if (other != all.end()) {
        throw Disagreement(Exit::data,
                           fmt::format("epoch {}: process {} has made other samples than process 0: their sha256 "
                                       "are {} and {}; all processes of a training need the same data",
                                       progress_.epoch + 1, other - all.begin(), *other, all.front()));
    }
}

void Trainer::evaluate_now() {
    finish_steps_on_device();
    train_.note_pause();
    const double start = now();
    Evaluation evaluation = evaluate_or_save();
    if (stops()) {
        return;  // incomplete: nothing is judged by it
    }
    if (!std::isfinite(evaluation.loss.mean())) {
        meet_overflow(evaluation);
        return;
    }
    progress_.owes_evaluation = false;
    std::vector<std::pair<std::string, double>> scalars{{"validation_loss", evaluation.loss.mean()}};
    scalars.insert(scalars.end(), evaluation.metrics.begin(), evaluation.metrics.end());
    emit(SLUICE_EVENT_EVALUATION, {}, std::move(scalars));
    if (bus_.wanted(SLUICE_EVENT_SAMPLES) && !evaluation.pictures.empty()) {
        const bool whole = progress_.batch == 0;
        emit_pictures(whole ? fmt::format("epoch_{:03}", progress_.epoch) : fmt::format("step_{:06}", progress_.step),
                      to_bytes(evaluation.pictures));
    }
    compare_validation_data();
    judge(evaluation);
    epoch_began_ += now() - start;  // the epoch's rate is that of training
}

// Ends the run, unless it is still skipping steps: then the evaluation waits for one that changes the weights.
void Trainer::meet_overflow(const Evaluation& evaluation) {
    if (progress_.loss_scale.skips_in_row == 0) {
        throw Error(Exit::diverged, why_it_diverged(fmt::format("the validation loss after step {}", progress_.step),
                                                    evaluation.loss.mean(), replicas_.first().last_plan().graph,
                                                    evaluation.not_finite));
    }
    if (progress_.step == stop_at_) {
        give_up(fmt::format(", and the validation loss after step {} is {}", progress_.step, evaluation.loss.mean()));
    }
    waits_for_update_ = true;
}

// Whether this evaluation is the best so far, and what it means for the rate.
void Trainer::judge(const Evaluation& evaluation) {
    const auto [value, higher] = monitored(evaluation, spec_.checkpoint.monitor);
    if (std::isfinite(value) && (!progress_.best || (higher ? value > *progress_.best : value < *progress_.best))) {
        progress_.best = value;
        progress_.best_step = progress_.step;
        checkpoints_.note_best();
    }
    if (spec_.schedule.use == "plateau") {
        const Monitored watched = monitored(evaluation, spec_.schedule.monitor);
        progress_.plateau.observe(spec_.schedule, scaled_rate(spec_), watched.value, watched.higher_is_better);
    }
}

// Asked by all processes at the same place.
bool Trainer::asks_to_stop() {
    all_stop_ = all_stop_ || asks_any(processes_, stop_signal() != 0);
    return stops();
}

bool Trainer::stops() const { return processes_.count() > 1 ? all_stop_ : stop_signal() != 0; }

bool Trainer::due(const config::Interval& every) const {
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(every.count, 1));
    return every.epochs ? progress_.batch == 0 && progress_.epoch % count == 0 : progress_.step % count == 0;
}

// The epoch that the step just done belongs to, from 1.
std::int64_t Trainer::epoch_of_step() const {
    return static_cast<std::int64_t>(progress_.batch == 0 ? progress_.epoch : progress_.epoch + 1);
}

}  // namespace sluice::run
