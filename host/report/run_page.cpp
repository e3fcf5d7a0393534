#include "report/run_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/error.hpp"
#include "base/text/duration.hpp"
#include "history/advice.hpp"
#include "history/run_file.hpp"
#include "history/run_lock.hpp"
#include "history/run_state.hpp"
#include "history/stages.hpp"
#include "history/step_split.hpp"
#include "report/curve.hpp"
#include "report/diagnosis_section.hpp"
#include "report/window_section.hpp"

namespace sluice::report {
namespace {

namespace fs = std::filesystem;
using history::RunHistory;
using history::RunRecord;
using history::RunState;
using history::Series;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
void add_line(Chart& chart, const Series* series, const std::string& name, double factor = 1.0) {
    if (series != nullptr && !series->steps.empty()) {
        chart.lines.push_back(line_of(*series, name, factor));
    }
}

bool has_values(const Series* series) {
    return series != nullptr && std::ranges::any_of(series->values, [](double value) { return value > 0.0; });
}

// Samples per second by the events of steps.
Series speed_of(const RunHistory& run) {
    Series speed{.name = "speed"};
    const Series* const samples = run.step_series("samples");
    const Series* const seconds = run.step_series("step_seconds");
    if (samples != nullptr && seconds != nullptr && samples->steps == seconds->steps) {
        for (std::size_t i = 0; i < samples->steps.size(); ++i) {
            speed.add(samples->steps[i], seconds->values[i] > 0.0 ? samples->values[i] / seconds->values[i] : kNone);
        }
    }
    return speed;
}

Section curves_of(const RunHistory& run) {
    Section section{.title = "Course of the training"};
    Chart loss{.title = "Loss", .x = "step", .y = "loss"};
    add_line(loss, run.step_series("loss"), "training");
    add_line(loss, run.score_series("validation_loss"), "validation");
    section.charts.push_back(std::move(loss));
    for (const Series& score : run.scores()) {
        if (score.name == "validation_loss" || score.name.starts_with("input_")) {
            continue;
        }
        Chart chart{.title = score.name, .x = "step", .y = score.name};
        add_line(chart, &score, "output of the network");
        add_line(chart, run.score_series("input_" + score.name), "its input");
        section.charts.push_back(std::move(chart));
    }
    Chart rate{.title = "Learning rate", .x = "step", .y = "rate"};
    add_line(rate, run.step_series("rate"), "rate");
    section.charts.push_back(std::move(rate));
    const Series speed = speed_of(run);
    Chart fast{.title = "Speed", .x = "step", .y = "samples per second"};
    add_line(fast, &speed, "speed");
    section.charts.push_back(std::move(fast));
    for (const char* const name : {"gradient_norm", "loss_scale"}) {
        Chart chart{.title = name, .x = "step", .y = name};
        add_line(chart, run.step_series(name), name);
        section.charts.push_back(std::move(chart));
    }
    std::erase_if(section.charts, [](const Chart& chart) { return chart.lines.empty(); });
    return section;
}

// "input_read_seconds" becomes "input read".
std::string phase_name(const std::string& scalar) {
    std::string name = scalar.substr(0, scalar.rfind("_seconds"));
    std::ranges::replace(name, '_', ' ');
    return name;
}

Section steps_of(const RunHistory& run) {
    Section section{.title = "Time of a step"};
    Chart stages{.title = "Stages of a step", .x = "step", .y = "ms per step", .is_stacked = true};
    for (const std::string_view stage : history::kStages) {
        const Series* const series = run.step_series(std::string(stage) + "_seconds");
        if (has_values(series)) {
            add_line(stages, series, std::string(stage), 1e3);
        }
    }
    if (!stages.lines.empty()) {
        section.charts.push_back(std::move(stages));
    }
    Table parts{.title = "Mean of all steps", .columns = {{"part", ""}, {"time", "s"}, {"share", "share"}}};
    for (const history::StepPart& part : history::split_steps(run)) {
        parts.rows.push_back({std::string(part.name), part.seconds, part.share});
    }
    if (!parts.rows.empty()) {
        section.tables.push_back(std::move(parts));
    }
    if (!run.sittings().empty() && !run.sittings().back().phases.empty()) {
        const history::Sitting& last = run.sittings().back();
        Table phases{.title = "Time of the run", .columns = {{"phase", ""}, {"time", "s"}, {"share", "share"}}};
        for (const auto& [name, seconds] : last.phases) {
            const bool is_beside = name.starts_with("input_");
            phases.rows.push_back({phase_name(name) + (is_beside ? ", beside the loop" : ""), seconds,
                                   is_beside || last.seconds <= 0.0 ? kNone : seconds / last.seconds});
        }
        section.tables.push_back(std::move(phases));
    }
    return section;
}

struct UsageLine {
    std::string_view column;
    std::string_view name;
};

// Columns of usage.csv over the time since its first row.
class UsageCharts {
public:
    explicit UsageCharts(const history::UsageRows& rows) : rows_(rows), minutes_(rows.column("unix_seconds")) {
        const double first = minutes_.empty() ? 0.0 : minutes_.front();
        for (double& minute : minutes_) {
            minute = (minute - first) / 60.0;
        }
    }

    // Columns that are missing, or only zero in a stack, are left out.
    void add(Section& section, Chart chart, const std::vector<UsageLine>& lines, double factor = 1.0) const {
        chart.x = "minutes";
        for (const UsageLine& line : lines) {
            const Series series{.name = std::string(line.name), .steps = minutes_, .values = rows_.column(line.column)};
            if (series.values.size() == minutes_.size() &&
                (has_values(&series) || (!chart.is_stacked && std::ranges::any_of(series.values, [](double value) {
                     return !std::isnan(value);
                 })))) {
                chart.lines.push_back(line_of(series, series.name, factor));
            }
        }
        if (!chart.lines.empty()) {
            section.charts.push_back(std::move(chart));
        }
    }

private:
    const history::UsageRows& rows_;
    std::vector<double> minutes_;
};

Section machine_of(const history::UsageRows& rows) {
    constexpr double kMebibyte = 1.0 / 1048576.0;
    constexpr double kMegabyte = 1e-6;
    Section section{.title = "What the run used of the machine"};
    if (rows.size() == 0) {
        return section;
    }
    const UsageCharts charts(rows);
    charts.add(section, {.title = "CPU", .y = "cores in use", .is_stacked = true},
               {{"cpu_compute", "compute"},
                {"cpu_input", "input"},
                {"cpu_observers", "observers"},
                {"cpu_exchange", "exchange"},
                {"cpu_other", "other"}});
    charts.add(section, {.title = "Waiting for a core", .y = "threads"},
               {{"run_queue", "runnable"}, {"throttled", "throttled"}});
    for (int gpu = 0; std::ranges::find(rows.columns(), fmt::format("gpu{}_busy", gpu)) != rows.columns().end();
         ++gpu) {
        const std::string busy = fmt::format("gpu{}_busy", gpu);
        const std::string memory = fmt::format("gpu{}_memory_bytes", gpu);
        charts.add(section, {.title = fmt::format("GPU {}", gpu), .y = "% busy"}, {{busy, "busy"}}, 100.0);
        charts.add(section, {.title = fmt::format("Memory of GPU {}", gpu), .y = "MiB"}, {{memory, "in use"}},
                   kMebibyte);
    }
    charts.add(section, {.title = "Resident memory", .y = "MiB"}, {{"resident_bytes", "resident"}}, kMebibyte);
    charts.add(section, {.title = "Batches that are ready", .y = "batches"}, {{"batches_ready", "ready"}});
    charts.add(section, {.title = "Disk and network", .y = "MB/s"},
               {{"disk_read_bytes", "disk, read"},
                {"disk_write_bytes", "disk, written"},
                {"network_in_bytes", "network, in"},
                {"network_out_bytes", "network, out"}},
               kMegabyte);
    return section;
}

// The text of a file, or why it cannot be read; empty if it is missing.
std::string text_of(const fs::path& run, const std::string& name) {
    try {
        return history::read_run_file(run, name).value_or("");
    } catch (const Error& error) {
        return error.what();
    }
}

Section text_section(const std::string& title, const std::string& note, const fs::path& run, const std::string& name) {
    std::string text = text_of(run, name);
    return {.title = title, .note = text.empty() ? "" : note, .text = std::move(text)};
}

Section warnings_of(const RunRecord& run) {
    Section section{.title = "Warnings"};
    const std::vector<std::string> warnings = run.warnings();
    if (run.warning_count() > warnings.size()) {
        section.note = fmt::format("{} of {} are shown; log.txt has all.", warnings.size(), run.warning_count());
    }
    for (const std::string& line : warnings) {
        section.text += line + "\n";
    }
    return section;
}

// What became of the run, as in "The run was killed".
const char* outcome_of(RunState state) {
    switch (state) {
        case RunState::starting:
            return "is starting";
        case RunState::running:
            return "is running";
        case RunState::finished:
            return "has finished";
        case RunState::interrupted:
            return "was interrupted";
        case RunState::diverged:
            return "has diverged";
        case RunState::failed:
            return "has failed";
        default:
            return "was killed";
    }
}

std::string sentence_of(const RunRecord& record, RunState state) {
    const RunHistory& run = record.history();
    const std::string course = run.last_step() > 0 ? fmt::format("step {} of {}", run.step(), run.last_step())
                                                   : fmt::format("step {}", run.step());
    return fmt::format("The run {}, {}. {}", outcome_of(state), course, history::verdict_of(run, record.folder()));
}

void add_facts(Page& page, const RunRecord& record) {
    const RunHistory& run = record.history();
    const auto add = [&](const std::string& name, std::string value) {
        page.facts.emplace_back(name, std::move(value));
    };
    if (const auto best = run.best()) {
        add("best " + best->name, fmt::format("{:.4g} at step {}", best->value, best->step));
    }
    if (const Series* const loss = run.step_series("loss"); loss != nullptr && !loss->values.empty()) {
        add("loss", fmt::format("{:.4g}", loss->values.back()));
    }
    if (run.epochs() > 0) {
        add("epoch", fmt::format("{} of {}", run.epoch(), run.epochs()));
    }
    if (run.samples_per_second() > 0.0) {
        add("speed", fmt::format("{:.4g} samples/s", run.samples_per_second()));
    }
    add("time", format_duration(run.seconds()));
    std::vector<double> resident = record.usage().column("resident_bytes");
    std::erase_if(resident, [](double value) { return std::isnan(value); });
    if (!resident.empty()) {
        add("resident memory", fmt::format("{:.1f} MiB at most", std::ranges::max(resident) / 1048576.0));
    }
    add("warnings", std::to_string(record.warning_count()));
}

}  // namespace

Page run_page(const RunRecord& record) {
    const RunHistory& run = record.history();
    const RunState state = history::state_of(run, history::is_alive(record.folder()));
    Page page{.title = record.name(),
              .state = name_of(state),
              .verdict = sentence_of(record, state),
              .next = history::advice_on(record.folder(), state),
              .progress = run.last_step() > 0
                              ? std::min(1.0, static_cast<double>(run.step()) / static_cast<double>(run.last_step()))
                              : kNone};
    add_facts(page, record);
    page.sections.push_back(diagnosis_section(record.folder()));
    page.sections.push_back(curves_of(run));
    page.sections.push_back(steps_of(run));
    page.sections.push_back(machine_of(record.usage()));
    for (Section& section : window_sections(record.folder())) {
        page.sections.push_back(std::move(section));
    }
    page.sections.push_back(warnings_of(record));
    page.sections.push_back(
        text_section("Pipeline", "Each value is followed by its origin.", record.folder(), "resolved.toml"));
    page.sections.push_back(text_section("Layers and memory", "As they were planned.", record.folder(), "plan.txt"));
    page.sections.push_back(
        text_section("Environment", "Machine and program of the run.", record.folder(), "environment.json"));
    return page;
}

std::optional<std::string> read_picture(const fs::path& run, const std::string& name) {
    const fs::path file = name == "batch_0" ? fs::path(name + ".png") : fs::path("samples") / (name + ".png");
    return history::read_run_file(run, file);
}

std::vector<std::string> chosen_pictures(const std::vector<std::string>& all, std::size_t most) {
    if (all.size() <= most) {
        return all;
    }
    if (most < 2) {
        return {all.end() - static_cast<std::ptrdiff_t>(most), all.end()};
    }
    std::vector<std::string> chosen;
    for (std::size_t i = 0; i < most; ++i) {
        chosen.push_back(all[i * (all.size() - 1) / (most - 1)]);
    }
    return chosen;
}

}  // namespace sluice::report
