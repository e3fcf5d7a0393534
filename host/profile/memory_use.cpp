#include "profile/memory_use.hpp"

#include <algorithm>

namespace sluice::profile {
namespace {

struct Life {
    std::size_t first;
    std::size_t last;
};

// A tensor without a first or last operation lives from the begin or to the end of a step.
Life life_of(const ArenaTensor& tensor, std::size_t operations) {
    const std::size_t first = tensor.first_operation < operations ? tensor.first_operation : 0;
    const std::size_t last = tensor.last_operation < operations ? tensor.last_operation : operations - 1;
    return {std::min(first, last), std::max(first, last)};
}

ArenaUse arena_use(const Window& window) {
    ArenaUse use;
    const std::size_t operations = window.operations.size();
    if (operations == 0) {
        return use;
    }
    // Changes at each operation: only unsigned sums that wrap around and back.
    std::vector<std::uint64_t> changes(operations + 1);
    for (const ArenaTensor& tensor : window.tensors) {
        const Life life = life_of(tensor, operations);
        changes[life.first] += tensor.bytes;
        changes[life.last + 1] -= tensor.bytes;
        use.size = std::max(use.size, tensor.offset + tensor.bytes);
        use.all += tensor.bytes;
    }
    std::uint64_t live = 0;
    for (std::size_t i = 0; i < operations; ++i) {
        live += changes[i];
        use.live.push_back(live);
        if (live > use.peak) {
            use.peak = live;
            use.peak_operation = static_cast<std::uint32_t>(i);
        }
    }
    for (std::uint32_t i = 0; i < window.tensors.size() && use.peak > 0; ++i) {
        const Life life = life_of(window.tensors[i], operations);
        if (life.first <= use.peak_operation && use.peak_operation <= life.last) {
            use.at_peak.push_back(i);
        }
    }
    std::ranges::stable_sort(use.at_peak, std::ranges::greater{},
                             [&](std::uint32_t i) { return window.tensors[i].bytes; });
    return use;
}

}  // namespace

MemoryUse memory_use(const Window& window) {
    MemoryUse use{.arena = arena_use(window), .points = {}};
    for (const WindowPoint& point : window.points) {
        if (point.name >= window.names.size()) {
            continue;
        }
        const std::string& name = window.names[point.name];
        const auto known = std::ranges::find(use.points, name, &MemoryPoint::name);
        if (known == use.points.end()) {
            use.points.push_back({name, point.value, point.value, point.value});
        } else {
            known->end = point.value;
            known->peak = std::max(known->peak, point.value);
        }
    }
    return use;
}

}  // namespace sluice::profile
