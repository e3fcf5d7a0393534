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
constexpr std::size_t kUnixSeconds = 0;
constexpr std::size_t kSeconds = 1;
constexpr std::size_t kIntervalSeconds = 2;
constexpr std::size_t kStep = 3;
constexpr std::size_t kCpu = 4;
constexpr std::size_t kCpuOfClass = 5;  // five: compute, input, observers, exchange, other
constexpr std::size_t kRunQueue = 10;
constexpr std::size_t kThrottled = 11;
constexpr std::size_t kResidentBytes = 12;
constexpr std::size_t kMinorFaults = 13;
constexpr std::size_t kMajorFaults = 14;
constexpr std::size_t kDiskReadBytes = 15;
constexpr std::size_t kDiskWriteBytes = 16;
constexpr std::size_t kNetworkInBytes = 17;
constexpr std::size_t kNetworkOutBytes = 18;
constexpr std::size_t kVoluntarySwitches = 19;
constexpr std::size_t kInvoluntarySwitches = 20;
constexpr std::size_t kBatchesReady = 21;
constexpr std::size_t kSamplerCpu = 22;
constexpr std::size_t kOfDevices = 23;  // those of the first device, then those of the second, and so on
}  // namespace column

// The columns of one device, from the first of them on.
namespace device_column {
constexpr std::size_t kBusy = 0;
constexpr std::size_t kMemoryBytes = 1;
constexpr std::size_t kWatts = 2;
constexpr std::size_t kCelsius = 3;
constexpr std::size_t kClockHertz = 4;
constexpr std::size_t kLimitedPower = 5;
constexpr std::size_t kLimitedHeat = 6;
constexpr std::size_t kLimitedOther = 7;
constexpr std::size_t kCount = 8;
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
