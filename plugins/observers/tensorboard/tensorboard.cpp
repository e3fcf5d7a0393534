// An event file for TensorBoard in the run's folder.
#include "tensorboard/tensorboard.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "files/retry.hpp"
#include "pictures/png_writer.hpp"
#include "pictures/sample_sheet.hpp"
#include "settings/resolved_pipeline.hpp"
#include "tensorboard/event_folder.hpp"
#include "tensorboard/histogram.hpp"

namespace sluice::observers {
namespace {

using tensorboard::Moment;
using tensorboard::SessionStatus;

// TensorBoard shows 10 pictures and 500 histograms of a tag, so more bytes would serve nobody.
constexpr std::uint64_t kPictureBudget = 2U << 20;
constexpr std::uint64_t kHistogramBudget = 2U << 20;

double unix_now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

// Four backticks, since the text itself may have three.
std::string fenced(const char* language, const std::string& text) {
    return std::string("````") + language + "\n" + text + (text.ends_with("\n") ? "" : "\n") + "````\n";
}

SessionStatus status_of(std::string_view outcome) {
    if (outcome == "finished") {
        return SessionStatus::success;
    }
    return outcome == "interrupted" ? SessionStatus::unknown : SessionStatus::failure;
}

}  // namespace

TensorBoard::TensorBoard(sdk::Host host, sdk::Options options)
    : host_(host),
      histograms_(options.boolean("histograms")),
      samples_(options.integer("samples")),
      pictures_(kPictureBudget),
      weights_(kHistogramBudget) {}

std::uint64_t TensorBoard::wants() const noexcept {
    std::uint64_t kinds = (1U << (SLUICE_EVENT_RUN_END + 1)) - 1;
    kinds |= 1U << SLUICE_EVENT_USAGE;
    if (samples_ == 0) {
        kinds &= ~(std::uint64_t{1} << SLUICE_EVENT_SAMPLES);
    }
    return histograms_ ? kinds | (1U << SLUICE_EVENT_WEIGHTS) : kinds;
}

void TensorBoard::on_event(const sluice_event& event) {
    if (event.kind == SLUICE_EVENT_RUN_BEGIN) {
        begin(event);
    }
    if (!file_) {
        throw sdk::Failure(SLUICE_FAILED, "tensorboard: an event arrived before the run_begin event");
    }
    add_points(event);
    switch (event.kind) {
        case SLUICE_EVENT_SAMPLES:
            add_picture(event);
            break;
        case SLUICE_EVENT_WEIGHTS:
            add_histograms(event);
            break;
        case SLUICE_EVENT_RUN_END:
            add_end(event);
            break;
        default:
            break;
    }
    const bool is_frequent = event.kind == SLUICE_EVENT_STEP || event.kind == SLUICE_EVENT_USAGE;
    if (!is_frequent || file_->is_due(event.seconds)) {
        const auto cut = [this] {
            if (cut_) {
                cut_();
                cut_ = nullptr;
            }
        };
        write_all({cut, [&] { file_->write_out(event.seconds); }}, is_frequent ? 1 : kTries);
    }
    if (event.kind == SLUICE_EVENT_RUN_END) {
        file_->expect_complete();
    }
}

void TensorBoard::begin(const sluice_event& event) {
    const std::filesystem::path run(sdk::view(event.text));
    const std::filesystem::path folder = run / "tensorboard";
    const auto first_step = static_cast<std::int64_t>(sdk::scalar(event, "first_step"));
    began_ = unix_now() - event.seconds;
    const Moment moment = moment_of(first_step, event.seconds);
    file_.emplace(run, tensorboard::next_event_file(folder, static_cast<std::int64_t>(moment.wall_time)),
                  tensorboard::event_format());
    file_->add_first(tensorboard::version_message(moment.wall_time));
    if (first_step > 0) {
        file_->add_first(tensorboard::restart_message({moment.wall_time, first_step + 1}));
    }
    cut_ = [folder, own = file_->path(), first_step] { tensorboard::cut_event_files(folder, own, first_step); };
    add_pipeline(run, moment);
}

void TensorBoard::add_pipeline(const std::filesystem::path& folder, const Moment& moment) {
    try {
        const ResolvedPipeline pipeline = read_resolved(folder);
        std::vector<tensorboard::Text> texts;
        if (!pipeline.text.empty()) {
            texts.push_back({"pipeline", fenced("toml", pipeline.text)});
        }
        if (const std::string plan = read_file(folder / "plan.txt"); !plan.empty()) {
            texts.push_back({"plan", fenced("", plan)});
        }
        if (!texts.empty()) {
            file_->add(tensorboard::text_message(moment, texts));
        }
        file_->add(tensorboard::session_start_message(moment, compared_values(pipeline.values)));
    } catch (const sdk::Failure& failure) {
        host_.warn(std::string("tensorboard: the pipeline is missing in its files: ") + failure.what());
    }
}

void TensorBoard::add_points(const sluice_event& event) {
    for (const SeriesPoint& point : series_.take(event)) {
        file_->add(tensorboard::scalars_message(moment_of(point.mean.step, point.mean.seconds), point.mean.values));
    }
}

void TensorBoard::add_picture(const sluice_event& samples) {
    const Sheet sheet = sheet_of(samples, samples_);
    const bool is_first_batch = sdk::view(samples.text) == "batch_0";
    std::string record = tensorboard::picture_message(moment_of(samples.step, samples.seconds),
                                                      is_first_batch ? "samples/batch_0" : "samples/evaluation",
                                                      {sheet.width(), sheet.height(),
                                                       png_of(sheet.pixels(), static_cast<std::uint32_t>(sheet.width()),
                                                              static_cast<std::uint32_t>(sheet.height()))});
    if (is_first_batch) {
        file_->add(std::move(record));
    } else if (pictures_.take()) {
        pictures_.used(record.size());
        file_->add(std::move(record));
        last_picture_.clear();
    } else {
        last_picture_ = std::move(record);
    }
}

void TensorBoard::add_histograms(const sluice_event& weights) {
    if (!weights_.take()) {
        return;
    }
    std::vector<tensorboard::Histogram> histograms;
    for (std::uint64_t i = 0; i < weights.tensor_count; ++i) {
        const std::string name(sdk::view(weights.tensors[i].name));
        histograms.push_back({name.starts_with("gradients/") ? name : "weights/" + name,
                              tensorboard::buckets_of(name, weights.tensors[i].tensor)});
    }
    std::string record = tensorboard::histograms_message(moment_of(weights.step, weights.seconds), histograms);
    weights_.used(record.size());
    file_->add(std::move(record));
}

void TensorBoard::add_end(const sluice_event& event) {
    if (!last_picture_.empty()) {
        file_->add(std::exchange(last_picture_, {}));
    }
    file_->add(
        tensorboard::session_end_message(moment_of(event.step, event.seconds), status_of(sdk::view(event.text))));
}

Moment TensorBoard::moment_of(std::int64_t step, double seconds) const { return {began_ + seconds, step}; }

}  // namespace sluice::observers
