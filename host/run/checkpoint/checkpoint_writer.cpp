#include "run/checkpoint/checkpoint_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "run/checkpoint/checkpoint_folder.hpp"
#include "run/collective/timeouts.hpp"

namespace sluice::run {
namespace {

std::string score_text(const Progress& progress) { return fmt::format("score {:.4g}", progress.best.value_or(0.0)); }

// Returns "; the best weights, of step 8 (score 31.2), are lost" for best weights that no checkpoint has; else nothing.
std::string lost_text(const std::vector<std::string>& lost) {
    return lost.empty() ? "" : fmt::format("; the best weights, of {}, are lost", fmt::join(lost, ", "));
}

std::string left_text(const Progress& progress) {
    return progress.best ? fmt::format(", and the best checkpoint is of step {}", progress.best_step)
                         : ", and no checkpoint is the best until the next evaluation";
}

}  // namespace

CheckpointWriter::CheckpointWriter(const config::PipelineSpec& spec, const ReplicaGroup& replicas,
                                   const registry::Processes& processes, std::filesystem::path folder)
    : spec_(spec),
      replicas_(replicas),
      processes_(processes),
      folder_(std::move(folder)),
      writes_(processes.is_first()) {}

// Gathers sharded optimizer states into the process that writes. All processes call it at the same time.
std::optional<FullOptimizerStates> CheckpointWriter::gather_states() const {
    std::optional<FullOptimizerStates> whole;
    if (needs_all()) {
        const Replica* const first = &replicas_.first();
        if (writes_) {
            whole.emplace(replicas_.first().network().weights());
        }
        replicas_.each(
            [&](Replica& replica, std::uint32_t) {
                replica.training().gather_states(whole && &replica == first ? &*whole : nullptr, kRareWorkTimeout);
            },
            kRareWorkTimeout);
    }
    return whole;
}

void CheckpointWriter::leave_best() const {
    if (!writes_) {
        return;
    }
    try {
        restore_best(folder_, {});
    } catch (const Error& error) {
        log::warn(error.what());
    }
}

void CheckpointWriter::lose_best(const Progress& progress) {
    lost_best_.push_back(fmt::format("step {} ({})", progress.best_step, score_text(progress)));
    best_is_new_ = false;
}

void CheckpointWriter::write(const Progress& progress, const Written& written) {
    std::optional<FullOptimizerStates> states = gather_states();
    if (!writes_) {
        return;
    }
    const std::filesystem::path file = folder_ / numbered_name(progress.step);
    save_checkpoint(file, spec_, progress, replicas_.first(), states ? &*states : nullptr);
    written(file);
    publish_checkpoint(file, folder_ / kLastCheckpoint);
    if (best_is_new_) {
        publish_checkpoint(file, folder_ / kBestCheckpoint);
    }
    const std::string kept = drop_old_checkpoints(folder_, spec_.checkpoint.keep);
    if (!kept.empty() && !std::exchange(keeps_too_many_, true)) {
        log::warn(
            fmt::format("{}; the folder now keeps more than checkpoint.keep = {} files", kept, spec_.checkpoint.keep));
    }
}

// Returns why the checkpoint could not be saved; empty: it was.
std::string CheckpointWriter::try_to_write(const Progress& progress, const Written& written) {
    try {
        write(progress, written);
    } catch (const Error& error) {
        if (error.exit() == Exit::diverged || error.exit() == Exit::replica_lost) {
            throw;
        }
        return error.what();
    }
    return {};
}

// All processes wait here until the checkpoint is written. That may take longer than a step, hence kRareWorkTimeout.
std::string CheckpointWriter::failure_of_all(const std::string& own) const {
    const std::vector<std::string> all = processes_.gather_texts(own, "the checkpoint", kRareWorkTimeout);
    const auto failure = std::ranges::find_if_not(all, &std::string::empty);
    return failure == all.end() ? std::string() : *failure;
}

bool CheckpointWriter::save(const Progress& progress, Saving saving, const Written& written) {
    std::string failure = try_to_write(progress, written);
    if (saving != Saving::alone) {
        failure = failure_of_all(failure);
    }
    if (!failure.empty()) {
        if (saving == Saving::final) {
            if (best_is_new_) {
                lose_best(progress);
            }
            throw Error(Exit::save,
                        fmt::format("step {} could not be saved: {}{}", progress.step, failure, lost_text(lost_best_)));
        }
        if ((!failed_ || best_is_new_) && writes_) {
            log::error(fmt::format(
                "step {} could not be saved{}; training continues and tries again after each step: {}", progress.step,
                best_is_new_ ? fmt::format(", and its weights are the best so far ({})", score_text(progress)) : "",
                failure));
        }
        failed_ = true;
        return false;
    }
    best_is_new_ = false;
    if (failed_ && writes_) {
        log::warn(fmt::format("step {} is saved again{}{}", progress.step, lost_text(lost_best_),
                              lost_best_.empty() ? "" : left_text(progress)));
    }
    failed_ = false;
    lost_best_.clear();
    saved_step_ = progress.step;
    written_step_ = writes_ ? saved_step_ : written_step_;
    return true;
}

std::string CheckpointWriter::keep_before_skips(const Progress& progress) const {
    const std::filesystem::path kept = folder_ / "before_skips.safetensors";
    try {
        std::optional<FullOptimizerStates> states = gather_states();
        if (!writes_) {
            return {};
        }
        save_checkpoint(kept, spec_, progress, replicas_.first(), states ? &*states : nullptr);
    } catch (const Error& error) {
        log::error(fmt::format("could not save the weights before the skipped steps: {}", error.what()));
        return {};
    }
    return fmt::format("; the weights before these steps are in {}", kept.string());
}

}  // namespace sluice::run
