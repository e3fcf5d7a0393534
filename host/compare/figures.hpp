// The figures of runs that can be compared.
#pragma once

#include <string>
#include <vector>

#include "compare/estimate.hpp"
#include "history/run_record.hpp"

namespace sluice::compare {

// The runs to compare, which belong to the caller.
using Runs = std::vector<const history::RunRecord*>;

enum class FigureKind {
    step,    // seconds of a whole step
    stage,   // seconds of a stage of the training loop, for each step
    share,   // share of a stage in the time of a usual step
    speed,   // samples per second
    loss,    // training loss at the end
    score,   // score of the last evaluation
    memory,  // bytes at most
    whole,   // seconds of the whole training
};

// One figure of several runs.
struct Figure {
    std::string name{};   // by which conditions name it: "step_seconds", "validation.psnr"
    std::string title{};  // for tables: "forward"
    std::string unit{};   // "s", "B", "share" or another; may be empty
    FigureKind kind = FigureKind::step;
    std::vector<Estimate> runs{};  // in the order of the runs
};

// Returns the figures that at least one of the runs has. The first steps of each start are left out of times, because
// they tune kernels and fill caches.
std::vector<Figure> figures_of(const Runs& runs);

}  // namespace sluice::compare
