#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/text/counted.hpp"
#include "base/text/scaled_number.hpp"
#include "profile/report.hpp"

namespace sluice::profile {
namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kNameWidth = 32;
constexpr std::size_t kThreadWidth = 16;

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::size_t columns_in(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return !continues_character(byte); }));
}

// Returns `text` in at most `width` columns. What is too long loses its beginning, since paths differ at their end.
// Names come from files, so control characters, which would act on the terminal, are replaced.
std::string fitted(std::string text, std::size_t width) {
    std::ranges::replace_if(
        text, [](char byte) { return static_cast<unsigned char>(byte) < 0x20U || byte == 0x7F; }, '?');
    if (columns_in(text) <= width) {
        return text;
    }
    std::size_t begin = text.size();
    for (std::size_t columns = 0; begin > 0 && columns + 3 < width; ++columns) {
        do {
            --begin;
        } while (begin > 0 && continues_character(text[begin]));
    }
    return "..." + text.substr(begin);
}

// The same, but what is too long loses its end.
std::string cut(std::string text, std::size_t width) {
    text = fitted(std::move(text), std::string::npos);
    if (columns_in(text) <= width) {
        return text;
    }
    std::size_t end = 0;
    for (std::size_t columns = 0; columns + 3 < width; ++columns) {
        do {
            ++end;
        } while (end < text.size() && continues_character(text[end]));
    }
    return text.substr(0, end) + "...";
}

// Has three significant digits or more.
std::string decimal(double value) {
    constexpr double kLeast = 0.001;
    if (value > 0.0 && value < kLeast) {
        return "<0.001";
    }
    return value > 0.0 && value < 1.0 ? fmt::format("{:#.3g}", value)
                                      : fmt::format("{:.{}f}", value,
                                                    value >= 100.0 ? 1
                                                    : value >= 1.0 ? 2
                                                                   : 3);
}

std::string milliseconds(double seconds) { return decimal(1e3 * seconds); }

std::string percent_text(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

// In units of 1e9 per second.
std::string rate_or_dash(double rate) {
    constexpr double kLong = 1e13;
    return rate <= 0.0 ? "-" : rate < kLong ? decimal(1e-9 * rate) : fmt::format("{:.0f}", 1e-9 * rate);
}

std::string milliseconds_or_dash(double seconds) { return seconds < 0.5e-6 ? "-" : milliseconds(seconds); }

double share_of(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

// True if percent_text() shows more than zero.
bool is_visible(double share) { return share >= 0.0005; }

std::string steps_text(const Window& window) {
    return window.first_step == window.last_step ? fmt::format("step {}", window.first_step)
                                                 : fmt::format("steps {} to {}", window.first_step, window.last_step);
}

const std::string& thread_name(const Window& window, std::uint32_t thread) {
    static const std::string none = "-";
    return thread < window.threads.size() ? window.threads[thread].name : none;
}

bool has_step(const StepTimes& times, std::int64_t step) {
    return std::ranges::find(times.steps, step, &StepTime::step) != times.steps.end();
}

std::string head_lines(const WindowReport& report) {
    const Window& window = report.window;
    const double step = report.times.seconds_of_step();
    const std::string device = window.device.empty() ? "" : ", " + window.device;
    std::string text =
        cut(fmt::format("window      {}, rank {} of {}{}", steps_text(window), window.rank, window.ranks, device),
            kLineWidth) +
        "\n";
    text += fmt::format("step        {} ms, mean of {}; the window took {} ms\n", milliseconds(step),
                        counted(report.times.steps.size(), "step"), milliseconds(window.seconds));
    if (window.runs_eagerly) {
        text += "graphs      these steps ran without captured graphs; their times differ from those of other steps\n";
    }
    if (window.eager_step > 0) {
        text += fmt::format("graphs      step {} ran without captured graphs, to show layers; its time differs{}\n",
                            window.eager_step, has_step(report.times, window.eager_step) ? "" : ", so it is left out");
    }
    text += fmt::format(
        "recording   {}\n",
        window.cost ? describe(*window.cost) : "its cost is not known: too few steps were recorded, or have followed");
    if (window.dropped_spans > 0) {
        text +=
            fmt::format("incomplete  {} found no room and are missing below\n", counted(window.dropped_spans, "span"));
    }
    for (const OtherRank& other : report.others) {
        text += other.problem.empty()
                    ? fmt::format("rank {:<6} {} ms a step; longest wait: {}\n", other.rank,
                                  milliseconds(other.seconds_of_step),
                                  other.wait.name.empty()
                                      ? "none"
                                      : fmt::format("{}, {} ms a step", fitted(other.wait.name, kNameWidth),
                                                    milliseconds(other.wait.seconds)))
                    : cut(fmt::format("rank {:<6} {}", other.rank, other.problem), kLineWidth) + "\n";
    }
    return text;
}

std::string table_head(std::string_view title) {
    return fmt::format("\n{:<{}} {:>6} {:>8} {:>8} {:>7} {:>8} {:>7} {:>8} {:>6}\n", title, kNameWidth + 2, "count",
                       "total ms", "self ms", "share", "GFLOP/s", "GB/s", "of limit", "algo.");
}

std::string count_text(double count) {
    const bool is_whole = std::abs(count - std::round(count)) < 0.005;
    return fmt::format("{:.{}f}", count, is_whole ? 0 : 2);
}

std::string table_row(const TableRow& row, const std::string& count) {
    return fmt::format("  {:<{}} {:>6} {:>8} {:>8} {:>7} {:>8} {:>7} {:>8} {:>6}\n", fitted(row.name, kNameWidth),
                       kNameWidth, count, milliseconds(row.total), milliseconds(row.self), percent_text(row.share),
                       rate_or_dash(row.flop_rate()), rate_or_dash(row.byte_rate()),
                       row.limit > 0.0 ? percent_text(row.of_limit()) : "-",
                       row.done_flop > 0.0 ? fmt::format("{:.2f}x", row.algorithm_speedup()) : "-");
}

std::string table_row(const TableRow& row) { return table_row(row, count_text(row.count)); }

bool has_device_clock(const StepTimes& times, const std::string& name) {
    const auto stage = std::ranges::find(times.stages, name, &StageTime::name);
    return stage != times.stages.end() && stage->has_device_clock;
}

// Returns an empty text if the steps make up nearly all of the window.
std::string between_line(const WindowReport& report) {
    const TimeBetween& between = report.times.between;
    constexpr double kLeast = 0.01;
    if (between.seconds < kLeast * report.window.seconds || between.seconds <= 0.0) {
        return "";
    }
    std::vector<std::string> stages;
    for (const StageTime& stage : between.stages) {
        if (stage.seconds >= kLeast * between.seconds) {
            stages.push_back(fmt::format("{} {}", stage.name, milliseconds(stage.seconds)));
        }
    }
    return cut(fmt::format("  between steps   {} ms in the window: {}", milliseconds(between.seconds),
                           fmt::join(stages, ", ")),
               kLineWidth) +
           "\n";
}

std::string stage_lines(const WindowReport& report) {
    std::string text = table_head("stages of the loop, per step");
    double sum = 0.0;
    for (const TableRow& row : report.stages.rows) {
        if (is_visible(row.share)) {
            text += table_row(row, has_device_clock(report.times, row.name) ? "-" : count_text(row.count));
        }
        sum += row.self;
    }
    text += fmt::format("  {:<{}} {:>6} {:>8} {:>8} {:>7}\n", "sum", kNameWidth, "", "", milliseconds(sum),
                        percent_text(share_of(sum, report.times.seconds_of_step())));
    text += between_line(report);
    for (const WorkBeside& work : report.times.beside) {
        text += fmt::format("  {:<{}} {:>6} {:>8} {:>8}  on {}\n", "beside: " + work.name, kNameWidth, "", "",
                            milliseconds(work.seconds), counted(work.threads, "thread"));
    }
    return text;
}

std::string peak_text(const PeakRate& peak, const char* unit) {
    return peak.measured > 0.0 ? fmt::format("{:.1f} {}, measured", 1e-9 * peak.measured, unit) : "not measured";
}

std::string table_lines(const WindowReport& report, std::size_t rows) {
    const OperationTable& table = report.table;
    if (report.by == TableBy::stage || table.rows.empty()) {
        return report.by == TableBy::stage ? "" : "\nno launches were recorded\n";
    }
    std::string text =
        table_head(fmt::format("launches by {}, per step", table_names()[static_cast<std::size_t>(report.by)]));
    for (std::size_t i = 0; i < std::min(rows, table.rows.size()); ++i) {
        text += table_row(table.rows[i]);
        if (!table.rows[i].detail.empty()) {
            text += "      " + cut(table.rows[i].detail, kLineWidth - 6) + "\n";
        }
    }
    double rest = 0.0;
    for (std::size_t i = rows; i < table.rows.size(); ++i) {
        rest += table.rows[i].self;
    }
    if (rows < table.rows.size()) {
        text += fmt::format("  {:<{}} {:>6} {:>8} {:>8} {:>7}\n", fmt::format("{} more", table.rows.size() - rows),
                            kNameWidth, "", "", milliseconds(rest),
                            percent_text(share_of(rest, report.times.seconds_of_step())));
    }
    text += cut(fmt::format("launches of {}", table.thread), kLineWidth) + "\n";
    text += fmt::format("limit       arithmetic {}; memory {}\n", peak_text(table.arithmetic, "GFLOP/s"),
                        peak_text(table.bandwidth, "GB/s"));
    for (const std::string& warning : peak_warnings(table)) {
        text += cut(fmt::format("warning     {}", warning), kLineWidth) + "\n";
    }
    return text;
}

std::string idle_lines(const WindowReport& report, std::size_t rows) {
    if (report.idle.empty()) {
        return "";
    }
    std::string text = fmt::format("\n{:<{}} {:>8}", "idle, ms per step", kThreadWidth + 2, "busy");
    for (std::size_t cause = 0; cause < kIdleCauses; ++cause) {
        text += fmt::format(" {:>8}", name_of(static_cast<IdleCause>(cause)));
    }
    text += fmt::format(" {:>8}\n", "idle");
    for (std::size_t i = 0; i < std::min(rows, report.idle.size()); ++i) {
        const IdleThread& thread = report.idle[i];
        text += fmt::format("  {:<{}} {:>8}", fitted(thread_name(report.window, thread.thread), kThreadWidth),
                            kThreadWidth, milliseconds(thread.busy));
        for (const double seconds : thread.seconds) {
            text += fmt::format(" {:>8}", milliseconds_or_dash(seconds));
        }
        text += fmt::format(" {:>8}\n", percent_text(share_of(thread.idle(), report.times.seconds_of_step())));
        const StreamGaps& gaps = thread.gaps;
        const double all = gaps.host_wait + gaps.kernel_wait + gaps.other;
        if (all > 0.0) {
            text += fmt::format("      of the gaps: host wait {}, kernel wait {}, other {} of {} ms\n",
                                percent_text(gaps.host_wait / all), percent_text(gaps.kernel_wait / all),
                                percent_text(gaps.other / all), milliseconds(all));
        }
    }
    return rows < report.idle.size() ? text + fmt::format("  {} more\n", report.idle.size() - rows) : text;
}

std::string path_lines(const WindowReport& report, std::size_t rows) {
    const CriticalPath& path = report.path;
    if (path.segments.empty()) {
        return "";
    }
    std::string text = fmt::format("\ncritical path, {} ms of steps of {} ms\n", milliseconds(path.seconds),
                                   milliseconds(report.times.seconds));
    const double steps = static_cast<double>(report.times.steps.size());
    std::vector<std::string> causes;
    for (const PathShare& cause : path.causes) {
        if (const double share = share_of(cause.seconds, path.seconds); is_visible(share)) {
            causes.push_back(fmt::format("{} {}", cause.cause, percent_text(share)));
        }
    }
    text += fmt::format("  {}\n", fmt::join(causes, ", "));
    text += fmt::format("  {:>11} {:>7}  {:<{}}  {}\n", "ms per step", "share", "thread", kThreadWidth, "what");
    for (std::size_t i = 0; i < std::min(rows, path.parts.size()); ++i) {
        const PathShare& part = path.parts[i];
        if (!is_visible(share_of(part.seconds, path.seconds))) {
            break;  // the rest is shorter
        }
        text += cut(fmt::format("  {:>11} {:>7}  {:<{}}  {}", milliseconds(part.seconds / steps),
                                percent_text(share_of(part.seconds, path.seconds)),
                                fitted(thread_name(report.window, part.thread), kThreadWidth), kThreadWidth,
                                part.what == part.cause ? part.cause : part.cause + ": " + part.what),
                    kLineWidth) +
                "\n";
    }
    return text;
}

std::string operation_text(const Window& window, std::uint32_t operation) {
    if (operation >= window.operations.size()) {
        return "-";
    }
    const Operation& named = window.operations[operation];
    return fitted(fmt::format("{} {}", direction_of(named.kind), named.path), 26);
}

std::string point_line(const MemoryPoint& point) {
    const bool is_bytes = point.name.ends_with("_bytes");
    const auto number = [&](double value) { return is_bytes ? byte_text(value) : metric_number(value); };
    std::string name = point.name.substr(0, point.name.size() - (is_bytes ? 6 : 0));
    std::ranges::replace(name, '_', ' ');
    return fmt::format("{:<11} {} at begin, {} at end, {} at peak\n", fitted(name, 11), number(point.begin),
                       number(point.end), number(point.peak));
}

std::string growth_line(const Growth& growth) {
    return fmt::format("growth      resident memory: {}\n", growth_text(growth));
}

// Its parts are divided by commas; a line ends after one of them.
std::string predicted_lines(const PredictedMemory& predicted) {
    std::string text;
    std::string line = "predicted  ";
    std::string_view rest = predicted.text;
    while (!rest.empty()) {
        const std::string_view part = rest.substr(0, rest.find(", "));
        rest.remove_prefix(std::min(rest.size(), part.size() + 2));
        const std::string word = " " + std::string(part) + (rest.empty() ? "" : ",");
        if (columns_in(line) + columns_in(word) > kLineWidth) {
            text += line + "\n";
            line = "           ";
        }
        line += word;
    }
    return text + cut(std::move(line), kLineWidth) + "\n";
}

std::string memory_lines(const WindowReport& report, std::size_t rows) {
    const ArenaUse& arena = report.memory.arena;
    const bool has_any = arena.peak > 0 || !report.memory.points.empty() || report.growth || report.predicted;
    std::string text = has_any ? "\n" : "";
    text += report.predicted ? predicted_lines(*report.predicted) : "";
    if (arena.peak > 0) {
        text += fmt::format("arena       {}, {} without reuse; most in use {}, at {}\n", byte_text(arena.size),
                            byte_text(arena.all), byte_text(arena.peak),
                            operation_text(report.window, arena.peak_operation));
        for (std::size_t i = 0; i < std::min(rows, arena.at_peak.size()); ++i) {
            const ArenaTensor& tensor = report.window.tensors[arena.at_peak[i]];
            text += fmt::format("  {:>9}  {:<24}  from {} to {}\n", byte_text(tensor.bytes), fitted(tensor.name, 24),
                                operation_text(report.window, tensor.first_operation),
                                operation_text(report.window, tensor.last_operation));
        }
        if (rows < arena.at_peak.size()) {
            text += fmt::format("  {} more\n", arena.at_peak.size() - rows);
        }
    }
    for (const MemoryPoint& point : report.memory.points) {
        text += point_line(point);
    }
    text += report.growth ? growth_line(*report.growth) : "";
    return text;
}

}  // namespace

std::string report_text(const WindowReport& report, std::size_t rows) {
    return head_lines(report) + stage_lines(report) + table_lines(report, rows) + idle_lines(report, rows) +
           path_lines(report, rows) + memory_lines(report, rows);
}

std::string report_text(const RunMemory& memory) {
    const std::vector<double>& bytes = memory.series.bytes;
    return (memory.predicted ? predicted_lines(*memory.predicted) : "") +
           point_line({"resident_bytes", bytes.front(), bytes.back(), *std::ranges::max_element(bytes)}) +
           (memory.growth ? growth_line(*memory.growth) : "");
}

}  // namespace sluice::profile
