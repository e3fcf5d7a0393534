// Where in its data a run goes on, and whether they are those that it was stopped in.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/counted.hpp"
#include "base/log.hpp"
#include "run/train/trainer.hpp"

namespace sluice::run {
namespace {

std::string count_in(const std::string& order) { return order.substr(0, order.find(':')); }

// Why the number of the next batch names another place now; empty: it does not.
std::string why_anew(const Progress& progress, std::uint64_t batches, const std::string& order) {
    const std::string& before = progress.data.order;
    if (progress.epoch_batches != batches) {
        return fmt::format("an epoch has {}, and had {} when the run was stopped in one", counted(batches, "batch"),
                           progress.epoch_batches);
    }
    if (before.empty() || before == order) {
        return {};
    }
    return count_in(before) != count_in(order)
               ? fmt::format("an epoch has {}, and had {} when the run was stopped in one",
                             counted(count_in(order), "sample"), count_in(before))
               : "samples come in another order than when the run was stopped in an epoch: the seed, the order, the "
                 "sampling or its weights have changed";
}

}  // namespace

// Of what all processes see.
void Trainer::warn(const std::string& text) const {
    if (processes_.is_first()) {
        log::warn(text);
    }
}

// Where the data or their order were changed, the number of the next batch names another place: the epoch begins anew.
void Trainer::fit_epoch() {
    // Weights that were kept before skipped steps may be of an epoch's last step.
    if (progress_.batch > 0 && progress_.batch == progress_.epoch_batches) {
        ++progress_.epoch;
        progress_.batch = 0;
        progress_.epoch_loss = {};
        progress_.data_past.digest_state.clear();
        progress_.data_past.digested = 0;
        progress_.data = {};
    }
    if (progress_.batch > 0) {
        if (const std::string why = why_anew(progress_, batches_per_epoch_, train_.order_witness()); !why.empty()) {
            warn(fmt::format("{}: epoch {} begins anew", why, progress_.epoch + 1));
            progress_.batch = 0;
            progress_.epoch_loss = {};
            progress_.data_past = {};
        }
    } else if (const std::string before = count_in(progress_.data.order), now = count_in(train_.order_witness());
               !before.empty() && before != now) {
        warn(fmt::format("an epoch has {} from epoch {} on, and had {} before", counted(now, "sample"),
                         progress_.epoch + 1, before));
    }
    progress_.epoch_batches = batches_per_epoch_;
}

// Scores on different samples cannot be compared. With several processes each makes only its part of the samples, so
// that the loader has no SHA-256 of all.
void Trainer::compare_validation_data() {
    const std::string sha256 = validation_->digest();
    const std::string before = std::exchange(progress_.validation_sha256, sha256);
    if (sha256.empty() || before.empty() || sha256 == before) {
        return;
    }
    if (progress_.best) {
        warn(
            fmt::format("the validation samples have changed since the best checkpoint, of step {}, was measured: it "
                        "moves to checkpoints/left, and the best begins anew",
                        progress_.best_step));
        checkpoints_.leave_best();
    }
    progress_.best.reset();
    progress_.best_step = 0;
    saved_best_ = {};
    progress_.plateau.best.reset();
    progress_.plateau.waited = 0;
}

// If the data have no names, the run keeps those that it has.
void Trainer::fit_class_names() {
    const data::ClassNames& now = train_.class_names();
    if (const auto difference = data::find_difference(progress_.class_names, now)) {
        const auto shown = [](const std::string& name) { return name.empty() ? "nameless" : "'" + name + "'"; };
        warn(fmt::format(
            "class {} of field '{}' is {} in the data now; it was {} when the run was stopped. If more than "
            "its name has changed, the model has learnt other classes than it is trained on: begin a new "
            "run, or restore the order of classes",
            difference->number, difference->field, shown(difference->second), shown(difference->first)));
    }
    if (!now.empty()) {
        progress_.class_names = now;
    }
}

// Values that count from the beginning of the run: what a change of one does to a run that goes on.
void Trainer::log_changes(const config::PipelineSpec& before) const {
    if (!processes_.is_first()) {
        return;
    }
    const double next = schedule_->rate(progress_.updates(), progress_.plateau);
    if (spec_.rate != before.rate && next != scaled_rate(spec_)) {
        log::info(
            fmt::format("optimizer.rate is {:g}, and schedule \"{}\" goes on where it is: the next step has rate "
                        "{:.3g}; schedule.use = \"constant\" takes {:g} as it is",
                        spec_.rate, spec_.schedule.use, next, scaled_rate(spec_)));
    }
    if (const auto epochs = static_cast<std::uint64_t>(spec_.train.epochs); spec_.train.epochs != before.train.epochs) {
        log::info(fmt::format("train.epochs = {} counts from the beginning of the run: {} are done, {} are left",
                              epochs, progress_.epoch, epochs - std::min(epochs, progress_.epoch)));
    }
}

// The next batches. False where the run is to stop meanwhile.
bool Trainer::make_again(std::uint64_t batches) {
    constexpr std::uint64_t kAsk = 8;
    for (std::uint64_t done = 0; done < batches; ++done) {
        if (done % kAsk == 0 && asks_to_stop()) {
            return false;
        }
        try {
            train_.next();
        } catch (const data::Stopped&) {
            return false;
        }
    }
    return true;
}

// Those that the epoch began with, with what they were. False where the run is to stop meanwhile.
bool Trainer::compare_beginning() {
    if (progress_.batch == 0 || progress_.data.sha256.empty()) {
        return true;
    }
    train_.seek(progress_.epoch, 0, {{}, 0, progress_.data_past.bad_samples});
    if (!make_again(progress_.data.batches)) {
        return false;
    }
    if (!train_.makes_all()) {
        join_own_hashes();
    }
    if (train_.digest() != progress_.data.sha256) {
        warn(
            fmt::format("the samples are not those that epoch {} began with: files, transforms or plugins have "
                        "changed since; it goes on with them as they are, and has no sha256",
                        progress_.epoch + 1));
        progress_.data_past.digest_state.clear();
        progress_.data = {};
    }
    return true;
}

// Batches that the digest of the epoch lacks are made again. False where the run is to stop meanwhile.
bool Trainer::go_to_next_batch() {
    if (spec_.train.overfit_one_batch) {
        train_.seek(0, 0);
        return true;
    }
    if (!compare_beginning()) {
        return false;
    }
    const std::uint64_t lacking = train_.seek(progress_.epoch, progress_.batch, progress_.data_past);
    if (lacking > 0) {
        log::info(
            fmt::format("making {} again, for the sha256 of epoch {}", counted(lacking, "batch"), progress_.epoch + 1));
    }
    return make_again(lacking);
}

}  // namespace sluice::run
