// All tables of a recorded window, and their texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/critical_path.hpp"
#include "profile/idle_split.hpp"
#include "profile/memory_use.hpp"
#include "profile/operation_table.hpp"
#include "profile/run_memory.hpp"
#include "profile/step_times.hpp"
#include "profile/window.hpp"

namespace sluice::profile {

// Another rank in the same steps.
struct OtherRank {
    std::uint32_t rank = 0;
    double seconds_of_step = 0.0;
    StageTime wait;       // the longest; see longest_wait()
    std::string problem;  // why its file cannot be read; empty: it was read
};

struct WindowReport {
    Window window;
    StepTimes times;
    TableBy by = TableBy::operation;
    OperationTable stages;
    OperationTable table;  // by `by`
    std::vector<IdleThread> idle;
    CriticalPath path;
    MemoryUse memory;
    std::vector<OtherRank> others;  // by rank
    std::optional<Growth> growth;   // of the resident memory, over the whole run
    std::optional<PredictedMemory> predicted;
};

// The ranks, the growth and the predicted memory stay empty.
WindowReport report_on(Window window, TableBy by);
OtherRank other_rank(const Window& window);

// Lines of at most 100 columns. `rows`: of each table at most so many.
std::string report_text(const WindowReport& report, std::size_t rows);
// All rows, as one JSON object. Times are seconds.
std::string report_json(const WindowReport& report);
// The same of a run without a window. The series must have values.
std::string report_text(const RunMemory& memory);
std::string report_json(const RunMemory& memory);

}  // namespace sluice::profile
