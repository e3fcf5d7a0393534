// Divides the time of a run's steps into parts, by the scalars of their events.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "history/run_history.hpp"

namespace sluice::history {

// A part of the step, of one or several stages of the training loop.
struct StepPart {
    std::string_view name;      // "input"
    std::string_view sentence;  // "waits for input": what a run does that spends most of its time here
    std::string_view bound;     // "input-bound": what such a run is
    double seconds = 0.0;       // that a step spends here, on average
    double share = 0.0;         // seconds / those of the step
};

inline constexpr std::size_t kAllEvents = std::numeric_limits<std::size_t>::max();

// The mean of the last values, of which there are `most` at most; those that are NaN do not count. 0 without any.
double recent_mean(const Series* series, std::size_t most = kAllEvents);

// The parts in the order of a step: input, copies, compute, exchange, observers, files, the rest; from the last events
// of steps, of which there are `most` at most. Empty if none of these has its stages.
std::vector<StepPart> split_steps(const RunHistory& history, std::size_t most = kAllEvents);

// "computes 93 %" or "waits for input ('decode') 41 %": the part that holds the run back. Another part than computing
// is named from a tenth of the step on. `awaited`: the stage of the input, as of RunHistory. Empty without parts.
std::string limit_of(const std::vector<StepPart>& parts, const std::string& awaited);

// A sentence about the limit, by the events alone, with the command that finds out why: "It is input-bound: ...". After
// the end of a run it may name evaluations or checkpoints. It is INCOMPLETE if the events lack the stages of steps.
std::string verdict_of(const RunHistory& history, const std::filesystem::path& run);

}  // namespace sluice::history
