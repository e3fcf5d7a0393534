// Chooses experiments by what the earlier ones found, until nothing is left to ask or the time is over.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diagnose/evidence/evidence.hpp"
#include "diagnose/experiments/topic.hpp"

namespace sluice::diagnose {

struct Investigation {
    Evidence evidence;
    std::vector<Skipped> skipped{};         // experiments that cannot matter
    std::vector<std::string> unfinished{};  // experiments that there was no time for
};

// Measures some variants by turns with the pipeline.
using Measure = std::function<std::vector<Result>(const std::vector<Variant>&)>;

// `has_time` says whether these variants can still be measured. Starts from `evidence`, which has the facts.
Investigation investigate(Evidence evidence, const Measure& measure,
                          const std::function<bool(const std::vector<Variant>&)>& has_time);

}  // namespace sluice::diagnose
