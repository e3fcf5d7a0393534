// A window in the JSON format of Chrome's traces, with the names and fields of Kineto, PyTorch's profiler.
#pragma once

#include <string>

#include "profile/window.hpp"

namespace sluice::observers {

std::string chrome_trace(const Window& window);

}  // namespace sluice::observers
