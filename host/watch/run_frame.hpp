// The screen of `host watch`.
#pragma once

#include "watch/frame.hpp"
#include "watch/graph.hpp"
#include "watch/run_view.hpp"

namespace sluice::watch {

// Composes progress, curves, stages of the last steps, use of the machine and warnings. 80 columns and 24 lines have
// all; a smaller screen has the upper part.
Frame run_frame(const RunView& run, int columns, int lines, Letters letters);

}  // namespace sluice::watch
