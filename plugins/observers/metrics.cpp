// metrics.csv and events.jsonl in the run's folder.
#include "metrics.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

#include "files/retry.hpp"
#include "readable.hpp"

namespace sluice::observers {
namespace {

// Nine digits distinguish any two float32.
std::string number(double value) {
    char text[64];
    std::snprintf(text, sizeof(text), "%.9g", value);
    return text;
}

// The evaluation's loss gets a column apart from the training loss. Characters that CSV reserves are replaced.
std::string column_of(const Metric& metric) {
    std::string name = metric.name == "loss" ? "evaluation_loss" : metric.name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ',' || c == '"' || c == '\n' || c == '\r'; }, '_');
    return name;
}

std::vector<Cell> scale_cells(const sluice_event& event) {
    std::vector<Cell> cells;
    for (const char* name : {"loss_scale", "skipped_steps", "good_steps"}) {
        if (const double value = sdk::scalar(event, name, -1.0); value >= 0.0) {
            cells.push_back({name, number(value)});
        }
    }
    return cells;
}

}  // namespace

Metrics::Metrics(sdk::Host, sdk::Options options) : every_steps_(options.integer("every_steps")) {}

std::uint64_t Metrics::wants() const noexcept { return (1U << (SLUICE_EVENT_RUN_END + 1)) - 1; }

void Metrics::on_event(const sluice_event& event) {
    if (event.kind == SLUICE_EVENT_RUN_BEGIN) {
        begin(event);
    }
    if (!events_) {
        throw sdk::Failure(SLUICE_FAILED, "metrics: an event arrived before the run_begin event");
    }
    if (const auto row = rows_.take(event)) {
        add_row(*row);
    }
    if (event.kind == SLUICE_EVENT_STEP) {
        rate_ = sdk::scalar(event, "rate");
        scale_ = scale_cells(event);
        step_ = event.step;
        epoch_ = event.epoch;
    }
    if (event.kind == SLUICE_EVENT_RUN_END && sdk::view(event.text) == "diverged") {
        add_last_row(event);
    }
    if (event.kind != SLUICE_EVENT_STEP || event.step % every_steps_ == 0) {
        events_->add(event);
    }
    if (event.kind != SLUICE_EVENT_STEP || events_->is_due()) {
        write_all({[&] { table_->write_out(); }, [&] { events_->write_out(); }},
                  event.kind == SLUICE_EVENT_STEP ? 1 : kTries);
    }
    if (event.kind == SLUICE_EVENT_RUN_END && events_->lost() > 0) {
        throw sdk::Failure(SLUICE_FAILED, std::to_string(events_->lost()) +
                                              (events_->lost() == 1 ? " event is" : " events are") + " missing in " +
                                              events_->path().string() +
                                              ", because it could not be written and only 16 MiB of events can wait");
    }
}

void Metrics::begin(const sluice_event& event) {
    const std::filesystem::path folder(sdk::view(event.text));
    const auto first_step = static_cast<std::int64_t>(sdk::scalar(event, "first_step"));
    std::optional<CsvTable::Kept> kept;
    if (first_step > 0) {
        kept = {"step", static_cast<double>(first_step)};
    }
    table_.emplace(folder / "metrics.csv", std::move(kept));
    events_.emplace(folder / "events.jsonl", first_step);
}

// A run that gives up after skipped steps stops within an epoch. This row shows how far the loss scale has fallen.
void Metrics::add_last_row(const sluice_event& end) {
    if (!scale_.empty() && step_ > row_step_) {
        add_row({.epoch = epoch_, .step = step_, .seconds = end.seconds, .training = {}, .evaluation = {}});
    }
}

void Metrics::add_row(const EpochRow& row) {
    std::vector<Cell> cells{{"epoch", std::to_string(row.epoch)},
                            {"step", std::to_string(row.step)},
                            {"seconds", fixed(row.seconds, 3)},
                            {"rate", rate_ ? number(*rate_) : ""},
                            {"loss", row.training ? number(row.training->loss) : ""}};
    std::vector<Cell> evaluation;
    for (const Metric& metric : row.evaluation) {
        evaluation.push_back({column_of(metric), number(metric.value)});
    }
    cells.insert(cells.end(), evaluation.begin(), evaluation.end());
    cells.insert(cells.end(), scale_.begin(), scale_.end());
    if (row.training) {
        table_->add(std::move(cells));
    } else {
        // A run that was stopped before an evaluation does it after the resume. Its result belongs to the existing row.
        table_->amend_or_add({"step", std::to_string(row.step)}, std::move(evaluation), std::move(cells));
    }
    row_step_ = row.step;
}

}  // namespace sluice::observers
