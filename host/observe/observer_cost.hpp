// Words what an observer costs that takes a noticeable share of a step's time, or for which the run waits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "observe/run_pace.hpp"
#include "observe/run_waits.hpp"

namespace sluice::observe {

struct ObserverCost {
    std::string name;
    bool holds = false;  // the run waits for it
    // Without the warm-up of the run:
    std::int64_t steps = 0;     // whose events it has handled
    double busy_seconds = 0.0;  // in its callbacks
    double cpu_seconds = 0.0;   // of its thread, in its callbacks
    // Of its thread: ready to run, without a core. It also contains other observers of that thread. nullopt: not known.
    std::optional<double> queue_seconds{};
    RunWaits::Figures waits{};  // of the run, while its callbacks ran
};

struct CostReport {
    std::string text;
    bool costs_time = false;  // the run is slower because of it
};

// Returns nullopt for an observer that takes at most 5 % of a step's time, and for which the run waited at most 5 % of
// its own time. Also returns nullopt if the run is too short to tell.
// `cores`: those that the process may use.
std::optional<CostReport> report_cost(const ObserverCost& cost, const RunPace::Figures& run, int cores);

}  // namespace sluice::observe
