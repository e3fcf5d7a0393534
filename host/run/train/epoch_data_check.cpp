#include "run/train/epoch_data_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/text/counted.hpp"
#include "profile/stage_clock.hpp"
#include "run/collective/timeouts.hpp"
#include "run/membership/agreement.hpp"

namespace sluice::run {

EpochDataCheck::EpochDataCheck(const config::PipelineSpec& spec, const registry::Processes& processes,
                               data::Loader& loader, const Timeline& timeline, StopRequest& stop)
    : spec_(spec), processes_(processes), loader_(loader), timeline_(timeline), stop_(stop) {}

bool EpochDataCheck::seek(Progress& progress, double timeout) {
    if (config::replayed_batches(spec_) > 0) {
        loader_.seek(0, 0);
        return true;
    }
    if (!compare_beginning(progress, timeout)) {
        return false;
    }
    const std::uint64_t lacking = loader_.seek(progress.epoch, progress.batch, progress.loader_state);
    if (lacking > 0) {
        log::info(
            fmt::format("making {} again, for the sha256 of epoch {}", counted(lacking, "batch"), progress.epoch + 1));
    }
    return make_again(lacking);
}

// Makes the batches that the epoch began with, and compares their hash with that of the checkpoint.
bool EpochDataCheck::compare_beginning(Progress& progress, double timeout) const {
    if (progress.batch == 0 || progress.data.sha256.empty()) {
        return true;
    }
    loader_.seek(progress.epoch, 0, {{}, 0, progress.loader_state.bad_samples});
    if (!make_again(progress.data.batches)) {
        return false;
    }
    if (!loader_.makes_all()) {
        merge_hashes(timeout);
    }
    if (loader_.digest() == progress.data.sha256) {
        return true;
    }
    if (processes_.is_first()) {
        log::warn(
            fmt::format("the samples are not those that epoch {} began with: files, transforms or plugins have "
                        "changed since; it continues with them as they are, and has no sha256",
                        progress.epoch + 1));
    }
    progress.loader_state.digest_state.clear();
    progress.data = {};
    return true;
}

bool EpochDataCheck::make_again(std::uint64_t batches) const {
    constexpr std::uint64_t kAsk = 8;
    for (std::uint64_t done = 0; done < batches; ++done) {
        if (done % kAsk == 0 && stop_.ask_all()) {
            return false;
        }
        try {
            loader_.next();
        } catch (const data::Stopped&) {
            return false;
        }
    }
    return true;
}

void EpochDataCheck::add_step(Progress& progress, double timeout) {
    if (loader_.makes_all() && timeline_.is_epoch_done(progress)) {
        expect_one_digest(progress, timeout);
    }
    if (config::replayed_batches(spec_) > 0) {
        return;
    }
    if (!loader_.makes_all() && is_time(progress)) {
        merge_hashes(timeout);
    }
    if (timeline_.is_epoch_begun(progress)) {
        progress.data = {loader_.order_fingerprint(), progress.batch, loader_.digest()};
    }
}

// Hashes are merged before a checkpoint and at the end of an epoch, and at least every 64 batches: a resume from a
// checkpoint that was not expected then makes few batches again.
bool EpochDataCheck::is_time(const Progress& progress) const {
    constexpr std::uint64_t kBatches = 64;
    const auto accumulate = static_cast<std::uint64_t>(spec_.train.accumulate);
    return timeline_.is_epoch_begun(progress) || timeline_.is_epoch_done(progress) || stop_.is_made() ||
           progress.step == timeline_.last_step() ||
           progress.step % std::max<std::uint64_t>(kBatches / accumulate, 1) == 0 ||
           Timeline::is_due(spec_.checkpoint.every, progress) || Timeline::is_due(spec_.evaluate_every, progress);
}

// Another process may still wait for the samples of steps that are on the devices.
double EpochDataCheck::data_timeout(double timeout) const {
    return timeout > 0.0 ? std::max(timeout, input_timeout(spec_.data)) : 0.0;
}

void EpochDataCheck::merge_hashes(double timeout) const {
    const profile::StageScope stage(profile::Stage::exchange);
    loader_.join_hashes(processes_.gather_texts(loader_.own_hashes(), "the hashes of samples", data_timeout(timeout)));
}

void EpochDataCheck::expect_one_digest(const Progress& progress, double timeout) const {
    const profile::StageScope stage(profile::Stage::exchange);
    const std::vector<std::string> all =
        processes_.gather_texts(loader_.digest(), "the sha256 of the samples", data_timeout(timeout));
    const auto other = std::ranges::find_if(all, [&](const std::string& one) { return one != all.front(); });
    if (other != all.end()) {
        throw Disagreement(Exit::data,
                           fmt::format("epoch {}: process {} has made other samples than process 0: their sha256 "
                                       "are {} and {}; all processes of a training need the same data",
                                       progress.epoch + 1, other - all.begin(), *other, all.front()));
    }
}

}  // namespace sluice::run
