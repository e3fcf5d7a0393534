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
constexpr std::size_t unix_seconds = 0;
constexpr std::size_t seconds = 1;
constexpr std::size_t interval_seconds = 2;
constexpr std::size_t step = 3;
constexpr std::size_t cpu = 4;
constexpr std::size_t cpu_of_class = 5;  // five: compute, input, observers, exchange, other
constexpr std::size_t run_queue = 10;
constexpr std::size_t throttled = 11;
constexpr std::size_t resident_bytes = 12;
constexpr std::size_t minor_faults = 13;
constexpr std::size_t major_faults = 14;
constexpr std::size_t disk_read_bytes = 15;
constexpr std::size_t disk_write_bytes = 16;
constexpr std::size_t network_in_bytes = 17;
constexpr std::size_t network_out_bytes = 18;
constexpr std::size_t voluntary_switches = 19;
constexpr std::size_t involuntary_switches = 20;
constexpr std::size_t batches_ready = 21;
constexpr std::size_t sampler_cpu = 22;
constexpr std::size_t of_devices = 23;  // those of the first device, then those of the second, and so on
}  // namespace column

// The columns of one device, from the first of them on.
namespace device_column {
constexpr std::size_t busy = 0;
constexpr std::size_t memory_bytes = 1;
constexpr std::size_t watts = 2;
constexpr std::size_t celsius = 3;
constexpr std::size_t clock_hertz = 4;
constexpr std::size_t limited_power = 5;
constexpr std::size_t limited_heat = 6;
constexpr std::size_t limited_other = 7;
constexpr std::size_t count = 8;
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
