#include "run/checkpoint_writer.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "run/checkpoint_folder.hpp"

namespace sluice::run {

CheckpointWriter::CheckpointWriter(const config::PipelineSpec& spec, const ReplicaGroup& replicas,
                                   std::filesystem::path folder, bool writes)
    : spec_(spec), replicas_(replicas), folder_(std::move(folder)), writes_(writes) {}

void CheckpointWriter::write(const Progress& progress) {
    if (!writes_) {
        best_is_new_ = false;
        return;
    }
    const std::filesystem::path file = folder_ / numbered_name(progress.step);
    save_checkpoint(file, spec_, progress, replicas_.first());
    publish_checkpoint(file, "last.safetensors");
    if (best_is_new_) {
        publish_checkpoint(file, "best.safetensors");
        best_is_new_ = false;
    }
    drop_old_checkpoints(folder_, spec_.checkpoint.keep);
}

bool CheckpointWriter::save(const Progress& progress, bool final) {
    try {
        write(progress);
    } catch (const Error& error) {
        if (error.exit() == Exit::diverged) {
            throw;
        }
        if (final) {
            throw Error(Exit::save, fmt::format("step {} could not be saved: {}", progress.step, error.what()));
        }
        if (!failed_) {
            log::error(fmt::format("step {} could not be saved; training goes on and tries again after each step: {}",
                                   progress.step, error.what()));
        }
        failed_ = true;
        return false;
    }
    if (failed_) {
        log::warn(fmt::format("step {} is saved again", progress.step));
    }
    failed_ = false;
    saved_step_ = progress.step;
    return true;
}

std::string CheckpointWriter::keep_before_skips(const Progress& progress) const {
    const std::filesystem::path kept = folder_ / "before_skips.safetensors";
    if (!writes_) {
        return {};
    }
    try {
        save_checkpoint(kept, spec_, progress, replicas_.first());
    } catch (const Error& error) {
        log::error(fmt::format("the weights before the skipped steps could not be kept: {}", error.what()));
        return {};
    }
    return fmt::format("; the weights before that are kept in {}", kept.string());
}

}  // namespace sluice::run
