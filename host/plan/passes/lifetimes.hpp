// When each piece of a plan's memory is in use, in launches.
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

// The launch of each step in one direction; kNever where it has none.
std::vector<std::size_t> times_of(const Plan& plan, Direction direction);

// By tensor id. `again`: what a second forward makes, and all of backward then reads.
struct Lives {
    std::vector<Life> tensors, again, gradients;
};
Lives find_lives(const Plan& plan);

// Whether backward reads what a second forward made of the tensor; by tensor id.
std::vector<bool> made_again(const Plan& plan);

// A piece of the arena: one tensor, or several that share its memory. Offsets that are to be written.
struct Buffer {
    std::uint64_t bytes = 0;
    Life life;
    std::vector<std::uint64_t*> offsets;
};

// All of them. Offsets that were never written are kNowhere.
std::vector<Buffer> list_buffers(Plan& plan);

// The most bytes that are in use at one time: no arena can be smaller.
std::uint64_t most_alive(std::span<const Buffer> buffers);

}  // namespace sluice::plan
