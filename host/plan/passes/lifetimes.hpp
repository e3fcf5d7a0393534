// When each buffer of a plan is in use, counted in launches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/plan.hpp"

namespace sluice::plan {

inline constexpr std::size_t kNever = ~std::size_t{0};

struct Life {
    std::size_t first = kNever;  // launch that writes it
    std::size_t last = 0;        // last launch that reads it
    [[nodiscard]] bool exists() const { return first != kNever; }
    void use(std::size_t launch) {
        first = first == kNever ? launch : first;
        last = launch;
    }
};

// The launch of each step in one direction; kNever if it has none.
std::vector<std::size_t> times_of(const Plan& plan, Direction direction);

// By tensor id. `recomputed`: outputs of a second forward, which all of backward reads.
struct Lives {
    std::vector<Life> tensors, recomputed, gradients;
};
Lives find_lives(const Plan& plan);

// By tensor id: true if a second forward makes the tensor again, so that backward reads that one.
std::vector<bool> are_recomputed(const Plan& plan);

// A block of the arena, for one tensor or several that share memory. `offsets`: where its offset will be written.
struct Buffer {
    std::uint64_t bytes = 0;
    Life life;
    std::vector<std::uint64_t*> offsets;
};

// All buffers of the plan. Sets offsets that have no value yet to kNowhere.
std::vector<Buffer> list_buffers(Plan& plan);

// The peak of the bytes in use at one time: no arena can be smaller.
std::uint64_t peak_bytes_of(std::span<const Buffer> buffers);

}  // namespace sluice::plan
