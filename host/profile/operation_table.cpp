#include "profile/operation_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

namespace sluice::profile {
namespace {

constexpr std::array<std::string_view, 5> kTables{"operation", "layer", "type", "direction", "stage"};

// Sums what the launches of an operation took, in all steps.
struct OperationSum {
    std::uint32_t kind = 0;
    double count = 0.0;
    double total = 0.0;
    double self = 0.0;
};

// By operation; launches without an operation are under kNone with their kind.
using Sums = std::map<std::pair<std::uint32_t, std::uint32_t>, OperationSum>;

std::vector<std::uint32_t> threads_with_launches(const Window& window, std::uint32_t kind) {
    std::vector<bool> has_launches(window.threads.size());
    for (const WindowSpan& span : window.spans) {
        has_launches[span.thread] = has_launches[span.thread] || is_launch(span);
    }
    std::vector<std::uint32_t> threads;
    for (std::uint32_t i = 0; i < window.threads.size(); ++i) {
        if (has_launches[i] && window.threads[i].kind == kind) {
            threads.push_back(i);
        }
    }
    return threads;
}

// The launches of each thread are nested by themselves.
Sums sums_of(const Window& window, const StepTimes& times, const std::vector<std::uint32_t>& threads) {
    Sums sums;
    const auto sum_of = [&](const WindowSpan& span) -> OperationSum& {
        const std::uint32_t operation = span.operation < window.operations.size() ? span.operation : kNone;
        OperationSum& sum = sums[{operation, operation == kNone ? span.kind : 0}];
        sum.kind = span.kind;
        return sum;
    };
    for (const std::uint32_t thread : threads) {
        const auto is_counted = [&](const WindowSpan& span) { return span.thread == thread && is_launch(span); };
        for (const WindowSpan& span : window.spans) {
            if (!is_counted(span)) {
                continue;
            }
            visit_in_steps(times, span.begin, span.end(), [&](double begin, double end) {
                sum_of(span).total += end - begin;
                sum_of(span).count += (end - begin) / span.seconds;  // a launch over the edge of steps counts in part
            });
        }
        for (const Piece& piece : pieces_of(window, is_counted)) {
            visit_in_steps(times, piece.begin, piece.end,
                           [&](double begin, double end) { sum_of(window.spans[piece.span]).self += end - begin; });
        }
    }
    return sums;
}

double arithmetic_seconds(const Window& window, const Operation& operation) {
    return window.peak_flop > 0.0 ? operation.done_flop / window.peak_flop : 0.0;
}

// Tensors that fit into a cache are faster. Half of the bytes are those that a copy of this size reads.
double memory_seconds(const Window& window, const Operation& operation) {
    const double rate = window.bandwidth.empty()
                            ? window.peak_bandwidth
                            : bandwidth_for(window.bandwidth, operation.bytes / operation.share / 2.0);
    return rate > 0.0 ? operation.bytes / rate : 0.0;
}

double limit_of(const Window& window, const Operation& operation) {
    return std::max(arithmetic_seconds(window, operation), memory_seconds(window, operation));
}

std::string detail_of(const Operation& operation) {
    std::vector<std::string> parts{operation.type, operation.kernel, operation.shape};
    std::erase_if(parts, [](const std::string& part) { return part.empty(); });
    return fmt::format("{}", fmt::join(parts, ", "));
}

// `limit` returns the least seconds of a launch.
PeakRate peak_of(const Window& window, const Sums& sums, double measured,
                 double (*limit)(const Window&, const Operation&)) {
    PeakRate peak{.measured = measured};
    std::map<std::string, std::pair<double, double>> seconds;  // at least, and taken; the kernels of a launch together
    for (const auto& [key, sum] : sums) {
        if (key.first != kNone) {
            const Operation& operation = window.operations[key.first];
            const std::string name = fmt::format("{} {}", direction_of(operation.kind), operation.path);
            auto& [least, taken] = seconds[name + "\n" + detail_of(operation)];
            least += limit(window, operation) * sum.count;
            taken += sum.self;
        }
    }
    for (const auto& [name, both] : seconds) {
        if (const double share = both.second > 0.0 ? both.first / both.second : 0.0; share > peak.most) {
            peak.most = share;
            peak.reached_by = name.substr(0, name.find('\n'));
        }
    }
    return peak;
}

std::string_view stage_of(std::uint32_t kind) {
    return kind == SLUICE_SPAN_RECOMPUTE ? "backward" : direction_of(kind);
}

std::string row_name(const Operation& operation, TableBy by) {
    switch (by) {
        case TableBy::operation:
            return fmt::format("{} {}", direction_of(operation.kind), operation.path);
        case TableBy::layer:
            return operation.path;
        case TableBy::type:
            return operation.type;
        case TableBy::direction:
            return std::string(direction_of(operation.kind));
        case TableBy::stage:
            return std::string(stage_of(operation.kind));
    }
    return {};
}

// Rows by key, in the order in which keys first come. The kernels of a launch share a row.
class Rows {
public:
    // Returns the row of this key; a new one gets the name.
    TableRow& keyed(const std::string& key, const std::string& name) {
        const auto [found, is_new] = places_.try_emplace(key, rows_.size());
        if (is_new) {
            rows_.push_back({.name = name, .detail = {}});
        }
        return rows_[found->second];
    }
    [[nodiscard]] std::vector<TableRow> take() { return std::move(rows_); }

private:
    std::vector<TableRow> rows_;
    std::unordered_map<std::string, std::size_t> places_;
};

void add_launches(const Window& window, const Sums& sums, TableBy by, Rows& rows) {
    for (const auto& [key, sum] : sums) {
        static const Operation unknown{.path = "(no operation)", .type = "(no operation)", .shape = {}, .kernel = {}};
        Operation operation = key.first == kNone ? unknown : window.operations[key.first];
        operation.kind = key.first == kNone ? sum.kind : operation.kind;
        const std::string name = row_name(operation, by);
        const std::string detail = by == TableBy::operation ? detail_of(operation) : "";
        TableRow& row = rows.keyed(name + "\n" + detail, name);
        row.detail = detail;
        row.count += sum.count * operation.share;
        row.total += sum.total;
        row.self += sum.self;
        row.flop += operation.flop * sum.count;
        row.done_flop += operation.done_flop * sum.count;
        row.bytes += operation.bytes * sum.count;
        row.limit += limit_of(window, operation) * sum.count;
    }
}

bool is_on_device(const Window& window, const std::vector<std::uint32_t>& threads) {
    return !threads.empty() && window.threads[threads.front()].kind == SLUICE_THREAD_STREAM;
}

// The loop's time in each stage, with the work of its launches. A device computes while the loop is in another stage,
// so that its work says nothing about the stages.
std::vector<TableRow> stage_rows(const StepTimes& times, const std::vector<TableRow>& launches, bool on_device) {
    std::vector<TableRow> rows;
    for (const StageTime& stage : times.stages) {
        const auto launched = std::ranges::find(launches, stage.name, &TableRow::name);
        const double steps = static_cast<double>(times.steps.size());
        const double seconds = stage.seconds * steps;
        constexpr double kRounding = 1.01;
        const bool has_work = launched != launches.end() && !on_device && launched->self <= kRounding * seconds;
        TableRow& row = rows.emplace_back(has_work ? *launched : TableRow{.name = stage.name, .detail = {}});
        row.count = stage.count * steps;
        row.total = row.self = seconds;
    }
    return rows;
}

}  // namespace

std::vector<std::string> table_names() { return {kTables.begin(), kTables.end()}; }

std::optional<TableBy> table_named(std::string_view name) {
    const auto* const found = std::ranges::find(kTables, name);
    return found == kTables.end() ? std::nullopt
                                  : std::optional(static_cast<TableBy>(std::distance(kTables.begin(), found)));
}

std::string_view direction_of(std::uint32_t span_kind) {
    switch (span_kind) {
        case SLUICE_SPAN_FORWARD:
            return "forward";
        case SLUICE_SPAN_RECOMPUTE:
            return "recompute";
        case SLUICE_SPAN_BACKWARD:
            return "backward";
        case SLUICE_SPAN_OPTIMIZER:
            return "optimizer";
        case SLUICE_SPAN_KERNEL:
            return "kernel";
        default:
            return "";
    }
}

std::vector<std::uint32_t> counted_threads(const Window& window) {
    std::vector<std::uint32_t> streams = threads_with_launches(window, SLUICE_THREAD_STREAM);
    if (!streams.empty()) {
        std::uint32_t first = kNone;
        for (const std::uint32_t stream : streams) {
            first = std::min(first, window.threads[stream].device);
        }
        std::erase_if(streams, [&](std::uint32_t stream) { return window.threads[stream].device != first; });
        return streams;
    }
    for (const std::uint32_t kind : {SLUICE_THREAD_LOOP, SLUICE_THREAD_COMPUTE, SLUICE_THREAD_OTHER}) {
        if (const std::vector<std::uint32_t> threads = threads_with_launches(window, kind); !threads.empty()) {
            return {threads.front()};
        }
    }
    return {};
}

std::vector<std::string> peak_warnings(const OperationTable& table) {
    std::vector<std::string> warnings;
    for (const auto& [peak, what] : {std::pair(table.arithmetic, "arithmetic"), std::pair(table.bandwidth, "memory")}) {
        if (peak.is_wrong()) {
            warnings.push_back(fmt::format("the measured peak of {} is too low: '{}' reached {:.0f} % of it", what,
                                           peak.reached_by, 100.0 * peak.most));
        }
    }
    return warnings;
}

OperationTable operation_table(const Window& window, const StepTimes& times, TableBy by) {
    OperationTable table;
    const std::vector<std::uint32_t> threads = counted_threads(window);
    std::vector<std::string> names;
    for (const std::uint32_t thread : threads) {
        names.push_back(window.threads[thread].name);
    }
    table.thread = fmt::format("{}", fmt::join(names, ", "));
    const Sums sums = sums_of(window, times, threads);
    table.arithmetic = peak_of(window, sums, window.peak_flop, arithmetic_seconds);
    table.bandwidth = peak_of(window, sums, window.peak_bandwidth, memory_seconds);
    const double steps = static_cast<double>(times.steps.size());
    Rows rows;
    add_launches(window, sums, by, rows);
    table.rows = by == TableBy::stage ? stage_rows(times, rows.take(), is_on_device(window, threads)) : rows.take();
    for (TableRow& row : table.rows) {
        for (double TableRow::*const value : {&TableRow::count, &TableRow::total, &TableRow::self, &TableRow::flop,
                                              &TableRow::done_flop, &TableRow::bytes, &TableRow::limit}) {
            row.*value /= std::max(steps, 1.0);
        }
        row.share = times.seconds_of_step() > 0.0 ? row.self / times.seconds_of_step() : 0.0;
    }
    if (by != TableBy::stage) {
        std::ranges::stable_sort(table.rows, std::ranges::greater{}, &TableRow::self);
    }
    return table;
}

}  // namespace sluice::profile
