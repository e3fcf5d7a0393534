// A comparison of runs as a page: verdicts, what differs, figures with intervals, and curves over each other.
#pragma once

#include <vector>

#include "compare/comparison.hpp"
#include "history/run_record.hpp"
#include "report/page.hpp"

namespace sluice::compare {

// `comparison` is that of `runs`.
report::Page comparison_page(const Comparison& comparison, const Runs& runs);

}  // namespace sluice::compare
