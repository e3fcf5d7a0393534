// An offline run of Weights & Biases in the run's folder.
#include "wandb/wandb.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

#include "files/retry.hpp"
#include "settings/resolved_pipeline.hpp"
#include "wandb/offline_run.hpp"
#include "wandb/system_metrics.hpp"
#include "wandb/transaction_log.hpp"

namespace sluice::observers {
namespace {

// A killed run leaves the last summary, so write it as often as rows reach the file.
constexpr double kSummarySeconds = 1.0;
constexpr std::uint64_t kSummaryBudget = 512U << 10;

std::string fixed_seconds(double seconds) {
    char text[64];
    std::snprintf(text, sizeof(text), "%.6f", seconds);
    return text;
}

std::string machine_name() {
    char name[256] = {};
    return ::gethostname(name, sizeof(name) - 1) == 0 ? name : "";
}

void set(wandb::Items& items, const std::string& name, const std::string& json) {
    const auto at = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.first == name; });
    if (at == items.end()) {
        items.emplace_back(name, json);
    } else {
        at->second = json;
    }
}

// Invalid UTF-8 is replaced, since protocol buffers refuse it.
std::string json_text(const nlohmann::ordered_json& value) {
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

Wandb::Wandb(sdk::Host host, sdk::Options options)
    : host_(host), project_(options.string("project")), summaries_(kSummaryBudget) {}

std::uint64_t Wandb::wants() const noexcept {
    return (1U << SLUICE_EVENT_RUN_BEGIN) | (1U << SLUICE_EVENT_STEP) | (1U << SLUICE_EVENT_EPOCH_END) |
           (1U << SLUICE_EVENT_EVALUATION) | (1U << SLUICE_EVENT_CHECKPOINT) | (1U << SLUICE_EVENT_RUN_END) |
           (1U << SLUICE_EVENT_USAGE);
}

void Wandb::on_event(const sluice_event& event) {
    if (event.kind == SLUICE_EVENT_RUN_BEGIN) {
        begin(event);
    }
    if (!file_) {
        throw sdk::Failure(SLUICE_FAILED, "wandb: an event arrived before the run_begin event");
    }
    const bool is_step = event.kind == SLUICE_EVENT_STEP;
    if (row_ && ((is_step && event.step > row_->step) || event.kind == SLUICE_EVENT_CHECKPOINT)) {
        close_row();
    }
    for (const SeriesPoint& point : series_.take(event)) {
        add_point(point);
    }
    if (event.kind == SLUICE_EVENT_RUN_END) {
        add_end(event);
    }
    const bool is_frequent = is_step || event.kind == SLUICE_EVENT_USAGE;
    if (!is_frequent || file_->is_due(event.seconds)) {
        write_all({[&] { file_->write_out(event.seconds); }}, is_frequent ? 1 : kTries);
        if (link_) {
            std::exchange(link_, nullptr)();
        }
    }
    if (event.kind == SLUICE_EVENT_RUN_END) {
        file_->expect_complete();
    }
}

void Wandb::begin(const sluice_event& event) {
    const std::filesystem::path run(sdk::view(event.text));
    const auto first_step = static_cast<std::int64_t>(sdk::scalar(event, "first_step"));
    const double now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    began_ = now - event.seconds;
    const wandb::OfflineRun found = wandb::find_offline_run(run / "wandb", first_step, now);
    runtime_ = found.runtime;
    messages_ = wandb::LogMessages(found.records);
    file_.emplace(run, found.file, wandb::log_format());
    link_ = [found] { wandb::link_latest(found); };
    const wandb::Items config = read_config(run);
    // A file that begins again, because somebody removed it, has these records too.
    wandb::LogMessages first;
    file_->add_first(first.header());
    file_->add_first(first.run(
        {found.id, project_, (run / "").parent_path().filename().string(), machine_name(), began_ - runtime_}, config));
    if (found.kept > 0) {
        file_->continue_after(found.kept);
        if (!config.empty()) {
            file_->add(messages_.config(config));
        }
    } else {
        messages_ = first;
    }
}

wandb::Items Wandb::read_config(const std::filesystem::path& run) const {
    wandb::Items config;
    try {
        const ResolvedPipeline pipeline = read_resolved(run);
        for (const auto& [key, value] : pipeline.values.items()) {
            config.emplace_back(key, json_text(value));
        }
    } catch (const sdk::Failure& failure) {
        host_.warn(std::string("wandb: the pipeline is missing in its files: ") + failure.what());
    }
    return config;
}

void Wandb::add_point(const SeriesPoint& point) {
    if (point.kind == SeriesKind::usage) {
        add_stats(point.mean);
        return;
    }
    // Readers need steps in their order. A point whose last events were dropped may be older than the last row.
    const std::int64_t step = std::max(point.mean.step, last_step_);
    if (row_ && row_->step != step) {
        close_row();
    }
    if (!row_) {
        row_ = Row{step, point.mean.epoch, point.mean.seconds, {}};
        last_step_ = step;
    }
    row_->seconds = std::max(row_->seconds, point.mean.seconds);
    for (const SeriesValue& value : point.mean.values) {
        set(row_->items, value.name, wandb::json_of(value.value));
    }
}

void Wandb::add_stats(const MeanPoint& usage) {
    wandb::Items items;
    for (const SeriesValue& value : usage.values) {
        const std::string column = value.name.substr(value.name.find('/') + 1);
        const SeriesValue metric = wandb::system_metric({column, value.value}, host_.usable_cores());
        items.emplace_back(metric.name, wandb::json_of(metric.value));
    }
    if (items.empty()) {
        return;
    }
    file_->add(messages_.stats(began_ + usage.seconds, items));
}

void Wandb::close_row() {
    wandb::Items items = std::move(row_->items);
    items.emplace_back("epoch", std::to_string(row_->epoch));
    items.emplace_back("_step", std::to_string(row_->step));
    items.emplace_back("_timestamp", fixed_seconds(began_ + row_->seconds));
    items.emplace_back("_runtime", fixed_seconds(runtime_ + row_->seconds));
    for (const auto& [name, json] : items) {
        set(summary_, name, json);
    }
    file_->add(messages_.history(row_->step, items));
    const double seconds = row_->seconds;
    row_.reset();
    if (seconds - summary_at_ >= kSummarySeconds) {
        summary_at_ = seconds;
        if (summaries_.take()) {
            add_summary();
        }
    }
}

void Wandb::add_summary() {
    std::string record = messages_.summary(summary_);
    summaries_.used(record.size());
    file_->add(std::move(record));
}

void Wandb::add_end(const sluice_event& event) {
    if (row_) {
        close_row();
    }
    if (!summary_.empty()) {
        add_summary();
    }
    const std::int32_t code = sdk::view(event.text) == "finished" ? 0 : 1;
    file_->add(messages_.exit(code, static_cast<std::int32_t>(std::min(runtime_ + event.seconds, 2e9))));
}

}  // namespace sluice::observers
