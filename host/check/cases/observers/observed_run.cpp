#include "check/cases/observers/observed_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/temporary_folder.hpp"

namespace sluice::check {

registry::Observer open_observer(Trial& trial) { return {trial.component(), trial.options(), {}}; }

std::string run_folder(Trial& trial) { return new_folder(trial.folder().path(), "run_").string(); }

bool is_wanted(const registry::Observer& observer, std::uint32_t kind) { return (observer.wants() >> kind & 1) != 0; }

Answer send(const registry::Observer& observer, const sluice_event& event) {
    return ask(observer.object().table()->on_event, observer.object().self(), &event);
}

ObservedRun::ObservedRun(std::string folder, std::size_t more)
    : folder_(std::move(folder)), window_(full_window()), lent_window_(window_, more) {
    picture_.spec = make_spec(kUint8, {2, 24, 32, 3});
    picture_.bytes.resize(byte_count(picture_.spec));
    for (std::size_t i = 0; i < picture_.bytes.size(); ++i) {
        picture_.bytes[i] = static_cast<std::uint8_t>(i);
    }
    weights_.spec = make_spec(kFloat32, {3, 3, 3, 8});
    weights_.bytes.resize(byte_count(weights_.spec));
    const sluice_tensor picture = plugin_view(picture_.spec, picture_.bytes.data(), picture_strides_);
    const sluice_tensor weights = plugin_view(weights_.spec, weights_.bytes.data(), weight_strides_);
    pictures_ = {{{SLUICE_TEXT("input"), picture}, {SLUICE_TEXT("output"), picture}, {SLUICE_TEXT("target"), picture}}};
    parameters_ = {{{SLUICE_TEXT("0.conv2d/kernel"), weights}, {SLUICE_TEXT("gradients/0.conv2d/kernel"), weights}}};
}

void ObservedRun::visit(const std::function<void(const sluice_event&)>& visit) {
    const std::array begin{scalar("epochs", 2), scalar("steps", 4), scalar("steps_per_epoch", 2), scalar("batch", 8),
                           scalar("first_step", 0)};
    visit(event(SLUICE_EVENT_RUN_BEGIN, 0, 0, folder_, begin));
    for (std::int64_t epoch = 1; epoch <= 2; ++epoch) {
        visit_epoch(epoch, visit);
    }
    visit(event(SLUICE_EVENT_RUN_END, 2, 4, "finished", {}));
}

void ObservedRun::visit_epoch(std::int64_t epoch, const std::function<void(const sluice_event&)>& visit) {
    const std::int64_t last = 2 * epoch;
    for (std::int64_t step = last - 1; step <= last; ++step) {
        const std::array scalars{scalar("loss", 1.0 / static_cast<double>(step)), scalar("rate", 1e-3),
                                 scalar("step_seconds", 0.01), scalar("data_seconds", 0.0), scalar("samples", 8)};
        visit(event(SLUICE_EVENT_STEP, epoch, step, "", scalars));
    }
    const std::array usage{scalar("interval_seconds", 1.0), scalar("cpu", 0.9), scalar("resident_bytes", 1e8)};
    visit(event(SLUICE_EVENT_USAGE, epoch, last, "", usage));
    if (epoch == 1) {
        sluice_event profile = event(SLUICE_EVENT_PROFILE, epoch, last, "", {});
        profile.profile = &lent_window_.get();
        visit(profile);
    }
    const std::array ends{scalar("loss", 0.5), scalar("seconds", 0.1), scalar("samples_per_second", 160)};
    visit(event(SLUICE_EVENT_EPOCH_END, epoch, last, std::string(64, 'a'), ends));
    sluice_event weights = event(SLUICE_EVENT_WEIGHTS, epoch, last, "", {});
    weights.tensors = parameters_.data();
    weights.tensor_count = parameters_.size();
    visit(weights);
    const std::array found{scalar("validation_loss", 0.6), scalar("psnr", 30.0)};
    visit(event(SLUICE_EVENT_EVALUATION, epoch, last, "", found));
    sluice_event pictures = event(SLUICE_EVENT_SAMPLES, epoch, last, fmt::format("epoch_{:03}", epoch), {});
    pictures.tensors = pictures_.data();
    pictures.tensor_count = pictures_.size();
    visit(pictures);
    visit(event(SLUICE_EVENT_CHECKPOINT, epoch, last, "checkpoints/last.safetensors", {}));
}

sluice_event ObservedRun::event(std::uint32_t kind, std::int64_t epoch, std::int64_t step, const std::string& text,
                                std::span<const sluice_scalar> scalars) {
    text_ = text;
    sluice_event event{};
    event.struct_size = sizeof(event);
    event.kind = kind;
    event.epoch = epoch;
    event.step = step;
    event.seconds = 0.1 * static_cast<double>(step);
    event.text = {text_.data(), text_.size()};
    event.scalars = scalars.data();
    event.scalar_count = scalars.size();
    return event;
}

}  // namespace sluice::check
