// How long the launches of a window took, next to the limits of the machine: by operation, layer, type, direction or
// stage.
//
// The launches are those of one computing thread: of the streams of the first device if there are streams, else of the
// training loop's thread, else of the first thread that computes, which is the first replica's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/step_times.hpp"
#include "profile/window.hpp"

namespace sluice::profile {

enum class TableBy : std::uint8_t { operation, layer, type, direction, stage };

// Names in the order of TableBy.
std::vector<std::string> table_names();
std::optional<TableBy> table_named(std::string_view name);

struct TableRow {
    std::string name;
    std::string detail;      // kernel and shape of an operation; else empty
    double count = 0.0;      // per step
    double total = 0.0;      // seconds per step
    double self = 0.0;       // seconds per step, without launches that are nested in these
    double share = 0.0;      // of the step: self / step
    double flop = 0.0;       // per step, by definition of the layers
    double done_flop = 0.0;  // per step, that kernels do
    double bytes = 0.0;      // per step, that must be read and written at least
    double limit = 0.0;      // seconds per step that the launches take at least; 0: no peak was measured

    [[nodiscard]] double flop_rate() const { return self > 0.0 ? done_flop / self : 0.0; }
    [[nodiscard]] double byte_rate() const { return self > 0.0 ? bytes / self : 0.0; }
    [[nodiscard]] double of_limit() const { return self > 0.0 ? limit / self : 0.0; }
    // How much less arithmetic the kernels do than the layers define.
    [[nodiscard]] double algorithm_speedup() const { return done_flop > 0.0 ? flop / done_flop : 1.0; }
};

// A rate of the machine that is the limit of launches. An operation that is faster shows that it was measured too low.
struct PeakRate {
    double measured = 0.0;     // per second; 0: not measured, and then it limits nothing
    double most = 0.0;         // the largest share of the peak that an operation reached
    std::string reached_by{};  // this operation

    [[nodiscard]] bool is_wrong() const {
        constexpr double kTolerance = 1.05;
        return most > kTolerance;
    }
};

struct OperationTable {
    std::string thread;  // whose launches these are; empty: the window has no launches
    PeakRate arithmetic;
    PeakRate bandwidth;
    std::vector<TableRow> rows;  // by self time, longest first; stages in their order
};

// One sentence for each peak of the table that is wrong.
std::vector<std::string> peak_warnings(const OperationTable& table);

OperationTable operation_table(const Window& window, const StepTimes& times, TableBy by);

// Names "forward", "recompute", "backward", "optimizer" or "kernel"; empty for other kinds of spans.
std::string_view direction_of(std::uint32_t span_kind);

// The threads whose launches tables count, in the order of Window::threads.
std::vector<std::uint32_t> counted_threads(const Window& window);

}  // namespace sluice::profile
