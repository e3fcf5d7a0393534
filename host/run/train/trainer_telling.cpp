// What a training tells of itself while it runs: events for observers, and lines of the log.
#include <utility>

#include "base/log.hpp"
#include "run/train/trainer.hpp"
#include "run/upload/batch_pieces.hpp"

namespace sluice::run {

void Trainer::show_first(const data::Batch& whole) {
    data::Batch batch;
    copy_samples(whole, whole.made.begin, whole.made.end, batch);
    std::vector<std::pair<std::string, HostTensor>> seen;
    for (const data::NamedTensor& field : batch.fields) {
        if (field.role == SLUICE_FIELD_IMAGE) {
            seen.emplace_back(field.name == spec_.model.input ? "input" : "target", field.tensor);
        }
    }
    if (!seen.empty()) {
        emit_pictures("batch_0", std::move(seen));
    }
}

// What they win is measured with the buckets that they keep.
void Trainer::tell_of_replicas(const StepOnDevice& step, double seconds) {
    std::string news;
    if (buckets_.is_done()) {
        news = scaling_.add_step(step.parts, seconds, step.data_seconds, steps_.patience());
    } else if (step.samples == static_cast<std::uint64_t>(spec_.data.batch) * accumulate_) {
        news = buckets_.add_step(seconds - step.data_seconds, steps_.patience());
    }
    if (!news.empty()) {
        log::info(news);
    }
}

void Trainer::emit_step(const StepOnDevice& step, const StepResult& result, double seconds) {
    observe::StepEvent event{.epoch = step.epoch, .step = step.step};
    event.add("loss", result.loss.mean());
    event.add("rate", result.rate);
    event.add("step_seconds", seconds);
    event.add("data_seconds", step.data_seconds);
    event.add("samples", static_cast<double>(step.samples));
    const bool scales = replicas_.first().loss_scaler().scales();
    if (spec_.clip_norm > 0.0 || scales) {
        event.add("gradient_norm", result.norm);
    }
    if (scales) {
        event.add("loss_scale", progress_.loss_scale.value);
        event.add("skipped_steps", static_cast<double>(progress_.loss_scale.skipped));
        event.add("good_steps", static_cast<double>(progress_.loss_scale.good_steps));
    }
    bus_.emit(event);
}

void Trainer::emit(std::uint32_t kind, std::string text, std::vector<std::pair<std::string, double>> scalars) {
    if (bus_.wanted(kind)) {
        bus_.emit({.kind = kind,
                   .epoch = epoch_of_step(),
                   .step = static_cast<std::int64_t>(progress_.step),
                   .text = std::move(text),
                   .scalars = std::move(scalars),
                   .tensors = {}});
    }
}

void Trainer::emit_pictures(const std::string& name, std::vector<std::pair<std::string, HostTensor>> pictures) {
    bus_.emit({.kind = SLUICE_EVENT_SAMPLES,
               .epoch = static_cast<std::int64_t>(progress_.epoch),
               .step = static_cast<std::int64_t>(progress_.step),
               .text = name,
               .scalars = {},
               .tensors = std::move(pictures)});
}

}  // namespace sluice::run
