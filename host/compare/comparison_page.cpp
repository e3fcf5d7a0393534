#include "compare/comparison_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/control.hpp"
#include "base/program_name.hpp"
#include "base/text/shell_quoted.hpp"
#include "compare/change_text.hpp"
#include "report/curve.hpp"

namespace sluice::compare {
namespace {

using history::Series;
using report::Cell;
using report::Chart;
using report::Section;

Section runs_of(const Comparison& comparison) {
    report::Table runs{.columns = {{"", ""}, {"run", ""}, {"state", ""}, {"compared with A", ""}}};
    for (std::size_t run = 0; run < comparison.names.size(); ++run) {
        const auto other = std::ranges::find(comparison.others, run, &Against::run);
        runs.rows.push_back({comparison.names[run], comparison.folders[run], comparison.states[run],
                             other == comparison.others.end() ? "" : other->verdict});
    }
    return {.title = "Runs", .tables = {std::move(runs)}};
}

Section settings_of(const Comparison& comparison) {
    Section section{.title = "What differs in pipeline and environment"};
    if (comparison.settings.empty()) {
        section.note = "The pipelines and environments are the same.";
        return section;
    }
    report::Table table{.columns = {{"setting", ""}}};
    for (const std::string& name : comparison.names) {
        table.columns.push_back({name, ""});
    }
    for (const SettingDifference& setting : comparison.settings) {
        std::vector<Cell> row{setting.key};
        for (const std::optional<std::string>& value : setting.values) {
            row.emplace_back(value.value_or("-"));
        }
        table.rows.push_back(std::move(row));
    }
    section.tables.push_back(std::move(table));
    return section;
}

Section table_of(const Comparison& comparison) {
    report::Table table{.columns = {{"figure", ""}}};
    for (const std::string& name : comparison.names) {
        table.columns.push_back({name, ""});
    }
    for (const Against& other : comparison.others) {
        const std::string& name = comparison.names[other.run];
        table.columns.push_back({fmt::format("{} / A", name), ""});
        table.columns.push_back({fmt::format("{} - A", name), ""});
        table.columns.push_back({"interval", ""});
        table.columns.push_back({"beyond noise", ""});
    }
    for (std::size_t i = 0; i < comparison.figures.size(); ++i) {
        const Figure& figure = comparison.figures[i];
        std::vector<Cell> row{figure_text(figure)};
        for (const Estimate& estimate : figure.runs) {
            row.emplace_back(estimate_text(figure, estimate));
        }
        for (const Against& other : comparison.others) {
            const auto change = std::ranges::find(other.changes, i, &Change::figure);
            if (change == other.changes.end()) {
                row.insert(row.end(), {kUnknown, "", "", ""});
                continue;
            }
            row.emplace_back(is_read_as_ratio(figure) ? change->contrast.ratio.value : kUnknown);
            row.emplace_back(value_text(figure, change->contrast.difference.value));
            row.emplace_back(range_text(figure, change->contrast));
            row.emplace_back(change->is_real ? "yes" : "");
        }
        table.rows.push_back(std::move(row));
    }
    return {.title = "Figures", .note = "Means with intervals of 95 %.", .tables = {std::move(table)}};
}

// One chart with a curve of each run that has the series.
void add_chart(Section& section, Chart chart, const Runs& runs, const Comparison& comparison, const std::string& name,
               double factor = 1.0) {
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const history::RunHistory& history = runs[run]->history();
        const Series* const of_steps = history.step_series(name);
        const Series* const series = of_steps != nullptr ? of_steps : history.score_series(name);
        if (series != nullptr && !series->steps.empty()) {
            chart.lines.push_back(
                report::line_of(*series, fmt::format("{}: {}", comparison.names[run], runs[run]->name()), factor));
        }
    }
    if (!chart.lines.empty()) {
        section.charts.push_back(std::move(chart));
    }
}

Section curves_of(const Comparison& comparison, const Runs& runs) {
    constexpr double kMilliseconds = 1e3;
    Section section{.title = "Curves"};
    add_chart(section, {.title = "Training loss", .x = "step", .y = "loss"}, runs, comparison, "loss");
    for (const Figure& figure : comparison.figures) {
        if (figure.kind == FigureKind::score) {
            const std::string series = figure.title == "loss" ? "validation_loss" : figure.title;
            add_chart(section, {.title = "Validation " + figure.title, .x = "step", .y = figure.title}, runs,
                      comparison, series);
        }
    }
    add_chart(section, {.title = "Learning rate", .x = "step", .y = "rate"}, runs, comparison, "rate");
    for (const Figure& figure : comparison.figures) {
        if (figure.kind == FigureKind::step || figure.kind == FigureKind::stage) {
            add_chart(section, {.title = "Time: " + figure.title, .x = "step", .y = "ms"}, runs, comparison,
                      figure.name, kMilliseconds);
        }
    }
    return section;
}

// The last run with recorded steps shows where their time goes; without one, steps must be recorded first.
std::string next_of(const Runs& runs) {
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        std::error_code ignored;
        if (std::filesystem::exists((*run)->folder() / "profile", ignored)) {
            return "See where the time of a step goes: " +
                   typed("profile show " + shell_quoted(shown((*run)->folder().string())));
        }
    }
    return "Record steps of the next run, to see where their time goes: " + typed("train FILE --profile 20-24");
}

}  // namespace

report::Page comparison_page(const Comparison& comparison, const Runs& runs) {
    report::Page page{.title = "Comparison of runs", .progress = kUnknown};
    for (const Against& other : comparison.others) {
        page.verdict += fmt::format("{}{} against A: {}.", page.verdict.empty() ? "" : " ", comparison.names[other.run],
                                    other.verdict);
    }
    page.next = next_of(runs);
    page.sections = {runs_of(comparison), table_of(comparison), settings_of(comparison), curves_of(comparison, runs)};
    return page;
}

}  // namespace sluice::compare
