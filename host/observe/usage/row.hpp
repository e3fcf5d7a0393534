// The columns of usage.csv, and how rows of consecutive intervals become one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::observe {

// How the values of consecutive rows become one: the time-weighted mean, the larger, the later, or the sum.
enum class Merge { mean, most, last, sum };

struct Column {
    std::string name;
    Merge merge = Merge::mean;
    int decimals = 0;
};

// The columns that every run has, by their place in a row.
namespace column {
enum : std::size_t {
    unix_seconds,
    seconds,
    interval_seconds,
    step,
    cpu,
    cpu_of_class,  // five: compute, input, observers, exchange, other
    run_queue = cpu_of_class + 5,
    throttled,
    resident_bytes,
    minor_faults,
    major_faults,
    disk_read_bytes,
    disk_write_bytes,
    network_in_bytes,
    network_out_bytes,
    voluntary_switches,
    involuntary_switches,
    batches_ready,
    sampler_cpu,
    of_devices  // those of the first device, then those of the second, and so on
};
}  // namespace column

// The columns of one device, from the first of them on.
namespace device_column {
enum : std::size_t {
    busy,
    memory_bytes,
    watts,
    celsius,
    clock_hertz,
    limited_power,
    limited_heat,
    limited_other,
    count
};
}  // namespace device_column

// A value for each column; NaN: not known.
using Row = std::vector<double>;

std::vector<Column> usage_columns(std::size_t devices);
Row unknown_row(const std::vector<Column>& columns);
// Makes `into`, which is the earlier row, the row of both intervals.
void merge_row(const std::vector<Column>& columns, Row& into, const Row& later);

std::string header_line(const std::vector<Column>& columns);
// Appends the line of a row to `text`. Unknown values are empty cells.
void append_line(const std::vector<Column>& columns, const Row& row, std::string& text);
// Returns an empty row if the line has another number of cells.
Row parse_line(const std::vector<Column>& columns, std::string_view line);

}  // namespace sluice::observe
