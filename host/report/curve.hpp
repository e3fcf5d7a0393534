// Series of runs as curves of a chart.
#pragma once

#include <string>

#include "history/series.hpp"
#include "report/page.hpp"

namespace sluice::report {

// Returns the curve with at most 500 points, and its values times `factor`.
Line line_of(const history::Series& series, const std::string& name, double factor = 1.0);

}  // namespace sluice::report
