// Words what an observer costs that takes a noticeable share of a run's time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "observe/run_pace.hpp"
#include "observe/run_waits.hpp"

namespace sluice::observe {

struct ObserverCost {
    std::string name;
    bool holds = false;         // the run waits for it
    std::int64_t steps = 0;     // steps of the run whose events it has handled
    double busy_seconds = 0.0;  // in its callbacks
    double cpu_seconds = 0.0;   // of its thread, in its callbacks
    // Of its thread: ready to run, without a core. It also contains other observers of that thread. nullopt: not known.
    std::optional<double> queue_seconds{};
    RunWaits::Figures waits{};  // of the run, for all observers of its thread
    bool is_slowest = false;    // of its thread
};

struct CostReport {
    std::string text;
    bool costs_time = false;  // the run is slower because of it
};

// Returns nullopt for an observer that takes at most 5 % of the run's time, or if the run is too short to tell. The
// slowest of a thread is also reported if the run waited longer than that for the thread.
// `cores`: those that the process may use.
std::optional<CostReport> report_cost(const ObserverCost& cost, const RunPace::Figures& run, int cores);

}  // namespace sluice::observe
