// Compares runs, and judges which differences are larger than noise.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compare/estimate.hpp"
#include "compare/figures.hpp"
#include "compare/setting_differences.hpp"
#include "history/run_record.hpp"

namespace sluice::compare {

// How one figure of a run differs from that of the first run.
struct Change {
    std::size_t figure = 0;  // in Comparison::figures
    Contrast contrast{};
    bool is_real = false;  // chance does not explain it, with all figures of the run taken together
};

// A run compared with the first one.
struct Against {
    std::size_t run = 0;            // in Comparison::names
    std::vector<Change> changes{};  // one for each figure that both runs have
    std::string verdict{};          // one or two sentences
};

struct Comparison {
    std::vector<std::string> names{};  // names of the runs in tables: "A", "B"
    std::vector<std::string> folders{};
    std::vector<std::string> states{};  // "finished, step 1200 of 1200"
    std::vector<SettingDifference> settings{};
    std::vector<Figure> figures{};
    std::vector<Against> others{};
};

// The first run is the one that the others are compared with. Throws nothing: what a run lacks is left out.
Comparison compare(const Runs& runs);

}  // namespace sluice::compare
