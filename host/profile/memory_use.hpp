// The memory of a window: the arena from operation to operation, and the values of its points.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/window.hpp"

namespace sluice::profile {

// A value that was sampled in the window, such as "resident_bytes".
struct MemoryPoint {
    std::string name;
    double begin = 0.0;
    double end = 0.0;
    double peak = 0.0;
};

struct ArenaUse {
    std::vector<std::uint64_t> live;       // bytes of the tensors that live at each operation
    std::uint64_t size = 0;                // of the arena: the end of its last tensor
    std::uint64_t peak = 0;                // the most bytes that live at once
    std::uint32_t peak_operation = kNone;  // the first at which they do
    std::vector<std::uint32_t> at_peak;    // the tensors that live then, largest first: indices in Window::tensors
    std::uint64_t all = 0;                 // bytes of all tensors: the arena without reuse
};

struct MemoryUse {
    ArenaUse arena;
    std::vector<MemoryPoint> points;  // in the order in which their names first come
};

MemoryUse memory_use(const Window& window);

}  // namespace sluice::profile
