// The settings of a pipeline that may be tuned, each with the values that are worth a try.
#pragma once

#include <string>
#include <vector>

#include "diagnose/evidence/evidence.hpp"

namespace sluice::diagnose {

struct Choice {
    std::string text;               // "workers 4"
    std::vector<std::string> sets;  // as of --set
    ChangeClass change = ChangeClass::same_bits;
    double batch = 1.0;         // samples of a step over those of the pipeline
    double warm_samples = 0.0;  // see Variant
};

struct Knob {
    std::string name;  // "workers"
    std::vector<Choice> choices;
};

// Settings that may change what is learnt.
struct Allowed {
    bool batch = false;
    bool precision = false;
};

// Leaves out knobs that cannot matter by the evidence, such as those of an input that costs nothing. `prepared`: data
// that were prepared for the search.
std::vector<Knob> knobs_of(const Evidence& evidence, const Allowed& allowed, const std::vector<Choice>& prepared);

}  // namespace sluice::diagnose
