// The tensors in the arena over time: each lives from its first operation to its last, in each step.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/window.hpp"

namespace sluice::observers {

struct ArenaChange {
    std::int64_t time_ns;
    std::int64_t step;
    std::uint32_t tensor;  // index in the window's tensors
    bool begins;
    std::uint64_t live_bytes;  // after the change
    double fragmentation;      // 1 - largest free block / free bytes, after the change
};

// Sorted by time. Tensors whose operations did not run in a step are left out there.
std::vector<ArenaChange> arena_changes(const Window& window);

// Bytes from the arena's beginning to the end of its last tensor.
std::uint64_t arena_bytes(const Window& window);

}  // namespace sluice::observers
