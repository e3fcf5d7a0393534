// A joint search over the knobs of a pipeline by successive halving: many settings are measured for a short time, the
// better half of them for longer, and so on. The best changes are then tried together.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "diagnose/evidence/variant.hpp"
#include "diagnose/tune/knobs.hpp"

namespace sluice::diagnose {

// The number of the choice of each knob that is changed, by its name.
using Settings = std::map<std::string, std::size_t>;

// The pipeline with these settings and `start`, which is applied first. Its name lists them.
Variant variant_of(const std::vector<Knob>& knobs, const Settings& settings, const Variant& start);

// Measures variants for about so many seconds each, by turns with the pipeline as it was given.
using MeasureFor = std::function<std::vector<Result>(const std::vector<Variant>&, double seconds)>;

struct Tuned {
    Variant best;                   // with no sets if nothing is faster than the pipeline as it was given
    Ratio ratio;                    // of the time of a sample with it to that without; unknown if there are no sets
    std::vector<Result> results{};  // of all measurements
};

// `start`: a change that is already known to help, as by a diagnosis; it may have no sets. `has_time`: whether so many
// variants can be measured for so long. The result is never slower than the pipeline as it was given: its last
// measurement shows a gain whose lower end is above -2 %.
Tuned search(const std::vector<Knob>& knobs, const Variant& start, const MeasureFor& measure,
             const std::function<bool(std::size_t variants, double seconds)>& has_time);

}  // namespace sluice::diagnose
