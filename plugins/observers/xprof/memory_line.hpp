// Allocations and releases for XProf's memory profile, and the same numbers as tracks of its trace viewer.
#pragma once

#include "profile/window.hpp"
#include "xprof/xspace.hpp"

namespace sluice::observers {

// A timeline for each allocator: the arena's tensors, blocks that were allocated, and each of the window's points.
XLine memory_line(const Window& window);

// A plane whose points XProf's trace viewer draws as tracks. It is empty if the window has none.
XPlane counter_plane(const Window& window);

}  // namespace sluice::observers
