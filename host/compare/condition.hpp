// A limit on what may change between two runs: "step_seconds > 1.05x".
#pragma once

#include <string>
#include <vector>

#include "compare/figures.hpp"

namespace sluice::compare {

struct Condition {
    enum class Scale { difference, ratio };

    std::string text{};    // as the user wrote it
    std::string figure{};  // Figure::name
    bool is_above = true;  // met above the bound, else below it
    double bound = 0.0;
    Scale scale = Scale::difference;
};

// Parses "FIGURE > BOUND" or "FIGURE < BOUND". "1.05x" is a ratio to the first run, "5%" a relative difference and
// "0.1" a difference. Throws Error(Exit::config) if the text is none of these.
Condition parse_condition(const std::string& text);

// True if the whole interval of the change from `first` to `other` is beyond the bound, or if the figure is lost in the
// other run only. Throws Error(Exit::config) if there is no such figure, or if one of the two runs lacks it; `name` is
// that of the other run. Without a known error, the interval is the change itself.
bool is_met(const Condition& condition, const std::vector<Figure>& figures, std::size_t first, std::size_t other,
            const std::string& name);

}  // namespace sluice::compare
