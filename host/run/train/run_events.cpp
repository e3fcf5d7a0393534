#include "run/train/run_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/log.hpp"
#include "observe/event.hpp"
#include "profile/stage_clock.hpp"
#include "run/train/weight_tensors.hpp"
#include "run/upload/micro_batches.hpp"

namespace sluice::run {

void RunEvents::emit_begin(const Timeline& timeline, const Progress& progress) const {
    const profile::StageScope stage(profile::Stage::output);
    bus_.emit({.kind = SLUICE_EVENT_RUN_BEGIN,
               .epoch = epoch_of_last_step(progress),
               .step = static_cast<std::int64_t>(progress.step),
               .text = folder_.string(),
               .scalars = {{"epochs", static_cast<double>(spec_.train.epochs)},
                           {"steps", static_cast<double>(timeline.last_step())},
                           {"steps_per_epoch", static_cast<double>(timeline.steps_per_epoch())},
                           {"batch", static_cast<double>(spec_.data.batch * spec_.train.accumulate)},
                           {"first_step", static_cast<double>(progress.step)}},
               .tensors = {}});
}

void RunEvents::emit_step(const StepInFlight& step, const StepResult& result, const profile::StageSeconds& seconds,
                          bool scales, std::string_view awaited) const {
    if (!bus_.wanted(SLUICE_EVENT_STEP)) {
        return;
    }
    const profile::StageScope stage(profile::Stage::output);
    observe::StepEvent event{.epoch = step.epoch, .step = step.step, .text = awaited};
    event.add("loss", result.loss.mean());
    event.add("rate", result.rate);
    event.add("step_seconds", seconds.total());
    event.add("data_seconds", seconds.of_data());
    event.add("samples", static_cast<double>(step.samples));
    event.add("read_seconds", seconds[profile::Stage::read]);
    event.add("preprocess_seconds", seconds[profile::Stage::preprocess]);
    event.add("upload_seconds", seconds[profile::Stage::upload]);
    event.add("forward_seconds", seconds[profile::Stage::forward]);
    event.add("backward_seconds", seconds[profile::Stage::backward]);
    event.add("optimizer_seconds", seconds[profile::Stage::optimizer]);
    event.add("exchange_seconds", seconds[profile::Stage::exchange]);
    event.add("download_seconds", seconds[profile::Stage::download]);
    event.add("output_seconds", seconds[profile::Stage::output]);
    event.add("storage_seconds", seconds[profile::Stage::storage]);
    event.add("prepare_seconds", seconds[profile::Stage::prepare]);
    event.add("other_seconds", seconds[profile::Stage::other]);
    if (spec_.clip_norm > 0.0 || scales) {
        event.add("gradient_norm", result.norm);
    }
    if (scales) {
        event.add("loss_scale", result.scale.value);
        event.add("skipped_steps", static_cast<double>(result.scale.skipped));
        event.add("good_steps", static_cast<double>(result.scale.good_steps));
    }
    bus_.emit(event);
}

void RunEvents::emit_epoch_end(const std::string& digest, double seconds, std::uint64_t samples,
                               const Progress& progress) const {
    emit(SLUICE_EVENT_EPOCH_END, digest,
         {{"loss", progress.epoch_loss.mean()},
          {"seconds", seconds},
          {"samples_per_second", static_cast<double>(samples) / std::max(seconds, 1e-9)}},
         progress);
}

void RunEvents::emit_weights(NetworkRunner& runner, const Progress& progress) const {
    if (bus_.wanted(SLUICE_EVENT_WEIGHTS)) {
        const profile::StageScope stage(profile::Stage::output);
        bus_.emit({.kind = SLUICE_EVENT_WEIGHTS,
                   .epoch = epoch_of_last_step(progress),
                   .step = static_cast<std::int64_t>(progress.step),
                   .text = {},
                   .scalars = {},
                   .tensors = read_weights(runner)});
    }
}

void RunEvents::emit_evaluation(const Evaluation& evaluation, bool is_best, const Progress& progress) const {
    const profile::StageScope stage(profile::Stage::output);
    std::vector<std::pair<std::string, double>> scalars{{"validation_loss", evaluation.loss.mean()}};
    for (const MetricScore& metric : evaluation.metrics) {
        scalars.emplace_back(metric.name, metric.value);
    }
    emit(SLUICE_EVENT_EVALUATION, is_best ? monitored(evaluation, spec_.checkpoint.monitor).name : "",
         std::move(scalars), progress);
    if (bus_.wanted(SLUICE_EVENT_SAMPLES) && !evaluation.pictures.empty()) {
        const bool is_epoch_done = progress.batch == 0;
        emit_pictures(
            is_epoch_done ? fmt::format("epoch_{:03}", progress.epoch) : fmt::format("step_{:06}", progress.step),
            to_bytes(evaluation.pictures), progress);
    }
}

void RunEvents::emit_first_batch(const data::Batch& batch, const Progress& progress) const {
    const profile::StageScope stage(profile::Stage::output);
    if (!bus_.wanted(SLUICE_EVENT_SAMPLES)) {
        return;
    }
    data::Batch made;
    copy_samples(batch, batch.made.begin, batch.made.end, made);
    std::vector<std::pair<std::string, HostTensor>> pictures;
    for (const data::NamedTensor& field : made.fields) {
        if (field.role == SLUICE_FIELD_IMAGE) {
            pictures.emplace_back(field.name == spec_.model.input ? "input" : "target", field.tensor);
        }
    }
    if (!pictures.empty()) {
        emit_pictures("batch_0", std::move(pictures), progress);
    }
}

void RunEvents::emit_checkpoint(const std::filesystem::path& file, const Progress& progress) {
    const profile::StageScope stage(profile::Stage::output);
    constexpr std::chrono::seconds kTimeout(10);
    emit(SLUICE_EVENT_CHECKPOINT, file.string(), {}, progress);
    if (!are_observers_late_ && !bus_.flush(kTimeout)) {
        are_observers_late_ = true;
        log::warn(
            fmt::format("observers are more than {} s late: saving no longer waits for them, and a run that is "
                        "killed may lack some of their lines",
                        kTimeout.count()));
    }
}

void RunEvents::emit_profile(std::shared_ptr<const profile::Window> window, const Progress& progress) const {
    const profile::StageScope stage(profile::Stage::output);
    if (bus_.wanted(SLUICE_EVENT_PROFILE)) {
        bus_.emit({.kind = SLUICE_EVENT_PROFILE,
                   .epoch = static_cast<std::int64_t>(progress.epoch),
                   .step = static_cast<std::int64_t>(progress.step),
                   .text = {},
                   .scalars = {},
                   .tensors = {},
                   .profile = std::move(window)});
    }
}

void RunEvents::emit_end(const std::string& how, const RunAccount& account, const Progress& progress) const {
    const profile::StageScope stage(profile::Stage::output);
    bus_.emit({.kind = SLUICE_EVENT_RUN_END,
               .epoch = static_cast<std::int64_t>(progress.epoch),
               .step = static_cast<std::int64_t>(progress.step),
               .text = how,
               .scalars = {{"start_seconds", account.of(Phase::start).total()},
                           {"steps_seconds", account.of(Phase::steps).total()},
                           {"evaluation_seconds", account.of(Phase::evaluation).total()},
                           {"checkpoints_seconds", account.of(Phase::checkpoints).total()},
                           {"profiling_seconds", account.of(Phase::profiling).total()},
                           {"input_read_seconds", account.input_read_seconds()},
                           {"input_preprocess_seconds", account.input_preprocess_seconds()},
                           {"other_seconds", account.other_seconds()}},
               .tensors = {}});
    bus_.flush();
}

void RunEvents::emit(std::uint32_t kind, std::string text, std::vector<std::pair<std::string, double>> scalars,
                     const Progress& progress) const {
    const profile::StageScope stage(profile::Stage::output);
    if (bus_.wanted(kind)) {
        bus_.emit({.kind = kind,
                   .epoch = epoch_of_last_step(progress),
                   .step = static_cast<std::int64_t>(progress.step),
                   .text = std::move(text),
                   .scalars = std::move(scalars),
                   .tensors = {}});
    }
}

void RunEvents::emit_pictures(const std::string& name, std::vector<std::pair<std::string, HostTensor>> pictures,
                              const Progress& progress) const {
    bus_.emit({.kind = SLUICE_EVENT_SAMPLES,
               .epoch = static_cast<std::int64_t>(progress.epoch),
               .step = static_cast<std::int64_t>(progress.step),
               .text = name,
               .scalars = {},
               .tensors = std::move(pictures)});
}

}  // namespace sluice::run
