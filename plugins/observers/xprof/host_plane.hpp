// The plane "/host:CPU": a line for each thread, and one for memory.
#pragma once

#include "profile/window.hpp"
#include "xprof/xspace.hpp"

namespace sluice::observers {

XPlane host_plane(const Window& window);

}  // namespace sluice::observers
