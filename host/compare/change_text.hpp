// Figures of runs and their changes in words.
#pragma once

#include <cstddef>
#include <string>

#include "compare/estimate.hpp"
#include "compare/figures.hpp"

namespace sluice::compare {

// "A", "B", ... to "Z".
std::string run_letter(std::size_t run);

// The figure's title as a table without further context needs it: "validation psnr".
std::string figure_text(const Figure& figure);

// "95.1 ms", "28.2".
std::string value_text(const Figure& figure, double value);

// A value with the reach of its interval: "95.1 ms ± 0.8 %", "28.2 ± 0.1". Without a known error the value alone.
std::string estimate_text(const Figure& figure, const Estimate& estimate);

// The interval of a change: "1.021 to 1.045" of a ratio, "-0.2 to 0.1" of a difference. Empty if it is unknown.
std::string range_text(const Figure& figure, const Contrast& contrast);

// "backward takes 6.9 ms longer (5.0 ms to 8.8 ms)". The contrast is that of the figure's first run and this one.
std::string change_text(const Figure& figure, const Contrast& contrast, std::size_t run);

// True if the figure's changes are read as ratios.
bool is_read_as_ratio(const Figure& figure);

}  // namespace sluice::compare
