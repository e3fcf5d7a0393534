// A measurement as text and as JSON, with the same figures.
#pragma once

#include <string>

#include "bench/measurement.hpp"

namespace sluice::bench {

// Returns totals, then one line for each part of the step.
std::string to_text(const Measurement& measurement);

// Returns one JSON object: times in seconds, sizes in bytes, rates per second.
std::string to_json(const Measurement& measurement);

}  // namespace sluice::bench
