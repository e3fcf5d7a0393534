// Monotonic time in seconds.
#pragma once

#include <chrono>

namespace sluice {

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace sluice
