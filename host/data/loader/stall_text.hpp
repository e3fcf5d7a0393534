// Words messages about a stall. They say how long it lasts, and what each thread does.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/chain/stage_times.hpp"

namespace sluice::data {

// "61", or "0.4" below 10 seconds.
std::string seconds_text(double seconds);

// Adds "a thread is at 'decode' of sample 17 for 61 s (photos/a.jpg)" if the thread is in a stage. `stages`: the names
// of the stages of `times`; `what`: "sample" or "batch".
void add_place(const StageTimes& times, std::span<const std::string> stages, std::string_view what,
               std::vector<std::string>& places);
// Joins `places`, or says that there is none.
std::string places_text(const std::vector<std::string>& places);

}  // namespace sluice::data
