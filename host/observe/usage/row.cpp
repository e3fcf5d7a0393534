#include "observe/usage/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

#include "observe/usage/thread_class.hpp"

namespace sluice::observe {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double merged(Merge merge, double first, double first_weight, double later, double later_weight) {
    if (std::isnan(first) || std::isnan(later)) {
        return std::isnan(first) ? later : first;
    }
    switch (merge) {
        case Merge::most:
            return std::max(first, later);
        case Merge::last:
            return later;
        case Merge::sum:
            return first + later;
        case Merge::mean:
            break;
    }
    const double weight = first_weight + later_weight;
    return weight > 0.0 ? (first * first_weight + later * later_weight) / weight : later;
}

double interval_of(const Row& row) {
    const double interval = row[column::kIntervalSeconds];
    return std::isnan(interval) ? 0.0 : interval;
}

}  // namespace

std::vector<Column> usage_columns(std::size_t devices) {
    std::vector<Column> columns = {{"unix_seconds", Merge::last, 3},
                                   {"seconds", Merge::last, 3},
                                   {"interval_seconds", Merge::sum, 3},
                                   {"step", Merge::last, 0},
                                   {"cpu", Merge::mean, 4}};
    for (const std::string_view name : kThreadClasses) {
        columns.push_back({fmt::format("cpu_{}", name), Merge::mean, 4});
    }
    const std::vector<Column> rest = {{"run_queue", Merge::mean, 4},
                                      {"throttled", Merge::mean, 4},
                                      {"resident_bytes", Merge::most, 0},
                                      {"minor_faults", Merge::mean, 1},
                                      {"major_faults", Merge::mean, 2},
                                      {"disk_read_bytes", Merge::mean, 0},
                                      {"disk_write_bytes", Merge::mean, 0},
                                      {"network_in_bytes", Merge::mean, 0},
                                      {"network_out_bytes", Merge::mean, 0},
                                      {"voluntary_switches", Merge::mean, 1},
                                      {"involuntary_switches", Merge::mean, 1},
                                      {"batches_ready", Merge::mean, 2},
                                      {"sampler_cpu", Merge::mean, 6}};
    columns.insert(columns.end(), rest.begin(), rest.end());
    for (std::size_t device = 0; device < devices; ++device) {
        const std::string gpu = fmt::format("gpu{}_", device);
        columns.push_back({gpu + "busy", Merge::mean, 3});
        columns.push_back({gpu + "memory_bytes", Merge::most, 0});
        columns.push_back({gpu + "watts", Merge::mean, 1});
        columns.push_back({gpu + "celsius", Merge::most, 0});
        columns.push_back({gpu + "clock_hertz", Merge::mean, 0});
        columns.push_back({gpu + "limited_power", Merge::mean, 3});
        columns.push_back({gpu + "limited_heat", Merge::mean, 3});
        columns.push_back({gpu + "limited_other", Merge::mean, 3});
    }
    return columns;
}

Row unknown_row(const std::vector<Column>& columns) { return Row(columns.size(), kUnknown); }

void merge_row(const std::vector<Column>& columns, Row& into, const Row& later) {
    const double first_weight = interval_of(into);
    const double later_weight = interval_of(later);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        into[i] = merged(columns[i].merge, into[i], first_weight, later[i], later_weight);
    }
}

std::string header_line(const std::vector<Column>& columns) {
    std::string line;
    for (const Column& column : columns) {
        line += (line.empty() ? "" : ",") + column.name;
    }
    return line + "\n";
}

// Zeros at the end of a fraction would double the size of the file.
void append_line(const std::vector<Column>& columns, const Row& row, std::string& text) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        text += i == 0 ? "" : ",";
        if (std::isfinite(row[i])) {
            fmt::format_to(std::back_inserter(text), "{:.{}f}", row[i], columns[i].decimals);
            if (columns[i].decimals > 0) {
                text.erase(text.find_last_not_of('0') + 1);
                text.erase(text.ends_with('.') ? text.size() - 1 : text.size());
            }
        }
    }
    text += '\n';
}

Row parse_line(const std::vector<Column>& columns, std::string_view line) {
    Row row;
    row.reserve(columns.size());
    for (std::size_t begin = 0; begin <= line.size() && row.size() <= columns.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        double value = kUnknown;
        if (std::from_chars(line.data() + begin, line.data() + end, value).ec != std::errc()) {
            value = kUnknown;
        }
        row.push_back(value);
        begin = end + 1;
    }
    return row.size() == columns.size() ? row : Row();
}

}  // namespace sluice::observe
