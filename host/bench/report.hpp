// A measurement for people and for machines, with the same figures.
#pragma once

#include <string>

#include "bench/measurement.hpp"

namespace sluice::bench {

// Totals, then one line for each part of the step.
std::string to_text(const Measurement& measurement);

// One JSON object; times in seconds, sizes in bytes, rates in one of these a second.
std::string to_json(const Measurement& measurement);

}  // namespace sluice::bench
