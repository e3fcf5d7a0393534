#include "report/window_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "base/error.hpp"
#include "base/program_name.hpp"
#include "history/run_file.hpp"
#include "profile/report.hpp"
#include "profile/window_files.hpp"
#include "profile/window_json.hpp"

namespace sluice::report {
namespace {

constexpr std::size_t kMostWindows = 3;
constexpr std::size_t kMostRows = 40;
constexpr double kUnknownRate = std::numeric_limits<double>::quiet_NaN();

Table table_of(const profile::OperationTable& table, const std::string& title) {
    Table shown{.title = title,
                .columns = {{"operation", ""},
                            {"count", ""},
                            {"total", "s"},
                            {"self", "s"},
                            {"share", "share"},
                            {"arithmetic", "FLOP/s"},
                            {"memory", "B/s"},
                            {"of limit", "share"},
                            {"kernel", ""}}};
    const std::size_t count = std::min(table.rows.size(), kMostRows);
    for (std::size_t i = 0; i < count; ++i) {
        const profile::TableRow& row = table.rows[i];
        shown.rows.push_back({row.name, row.count, row.total, row.self, row.share, unless_zero(row.flop_rate()),
                              unless_zero(row.byte_rate()), unless_zero(row.of_limit()), row.detail});
    }
    if (count < table.rows.size()) {
        shown.title += fmt::format(", the first {} of {}", count, table.rows.size());
    }
    return shown;
}

Table stages_of(const profile::OperationTable& table) {
    Table shown{.title = "Stages of a step",
                .columns = {{"stage", ""}, {"count", ""}, {"total", "s"}, {"self", "s"}, {"share", "share"}}};
    for (const profile::TableRow& row : table.rows) {
        shown.rows.push_back({row.name, row.count, row.total, row.self, row.share});
    }
    return shown;
}

Table idle_of(const profile::WindowReport& report) {
    Table shown{.title = "Why computing threads were idle, per step", .columns = {{"thread", ""}, {"busy", "s"}}};
    for (std::size_t cause = 0; cause < profile::kIdleCauses; ++cause) {
        shown.columns.push_back({std::string(name_of(static_cast<profile::IdleCause>(cause))), "s"});
    }
    for (const profile::IdleThread& idle : report.idle) {
        std::vector<Cell> row{report.window.threads[idle.thread].name, idle.busy};
        row.insert(row.end(), idle.seconds.begin(), idle.seconds.end());
        shown.rows.push_back(std::move(row));
    }
    return shown;
}

Table path_of(const profile::WindowReport& report) {
    Table shown{.title = "Critical path: what the window could not have done without",
                .columns = {{"cause", ""}, {"time", "s"}, {"share", "share"}}};
    for (const profile::PathShare& cause : report.path.causes) {
        shown.rows.push_back({std::string(cause.cause), cause.seconds,
                              report.path.seconds > 0.0 ? cause.seconds / report.path.seconds : kUnknownRate});
    }
    return shown;
}

Table memory_of(const profile::WindowReport& report) {
    Table shown{.title = "Largest tensors at the peak of the arena", .columns = {{"tensor", ""}, {"size", "B"}}};
    const std::vector<std::uint32_t>& peak = report.memory.arena.at_peak;
    for (std::size_t i = 0; i < std::min<std::size_t>(peak.size(), 20); ++i) {
        const profile::ArenaTensor& tensor = report.window.tensors[peak[i]];
        shown.rows.push_back({tensor.name, static_cast<double>(tensor.bytes)});
    }
    return shown;
}

std::string text_of(const std::filesystem::path& run, const std::filesystem::path& file) {
    return history::read_run_file(run, file.lexically_relative(run)).value_or("");
}

Section section_of(const std::filesystem::path& run, const profile::WindowFile& file) {
    Section section{.title = fmt::format("Steps {} to {}", file.first_step, file.last_step)};
    try {
        const profile::WindowReport report = profile::report_on(
            profile::parse_window(text_of(run, file.path), file.path.string()), profile::TableBy::operation);
        section.note = fmt::format("Recorded launch by launch: {:.4g} ms a step, on {}. {} prints more.",
                                   1e3 * report.times.seconds_of_step(), report.window.device, typed("profile show"));
        section.tables = {stages_of(report.stages), idle_of(report), path_of(report),
                          table_of(report.table, "Launches by operation, per step"), memory_of(report)};
        std::erase_if(section.tables, [](const Table& table) { return table.rows.empty(); });
    } catch (const Error& error) {
        section.note = error.what();
    }
    return section;
}

}  // namespace

std::vector<Section> window_sections(const std::filesystem::path& run) {
    std::vector<profile::WindowFile> files = profile::find_windows(run);
    std::erase_if(files, [](const profile::WindowFile& file) { return file.rank != 0; });
    std::vector<Section> sections;
    for (auto file = files.rbegin(); file != files.rend() && sections.size() < kMostWindows; ++file) {
        sections.push_back(section_of(run, *file));
    }
    return sections;
}

}  // namespace sluice::report
