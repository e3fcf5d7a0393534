// What strategies say of collectives, how they travel, and whether replicas that come with them are in step.
#pragma once

#include <cstdint>
#include <string>

#include "sluice/kind/strategy.h"

namespace sluice::in_step {

// Bytes of a range up to which all of it goes to everybody at once, unless it is cut into slices.
constexpr std::uint64_t kSmall = 16384;
// Whether slices of it are asked for.
[[nodiscard]] bool is_cut(const sluice_collective& collective);
// Whether it is float32 that travels as bfloat16. What is small does not.
[[nodiscard]] bool is_narrow(const sluice_collective& collective);

// "'gradients 2 of 7' (1024 elements)"
[[nodiscard]] std::string text_of(const sluice_collective& collective);
// "8 s"
[[nodiscard]] std::string seconds_text(double seconds);

// "replica 1 did not come to 'gradients 2 of 7' (1024 elements) within 8 s"; what: by text_of().
[[nodiscard]] std::string missed(const std::string& who, const std::string& what, double seconds);

// The same reason for those that waited for `what` when they heard of it.
[[nodiscard]] std::string waited(const std::string& reason, const std::string& what);

// Why `other` cannot be what its replica brings where another has brought `first`; empty where it can.
[[nodiscard]] std::string why_out_of_step(const sluice_collective& first, const sluice_collective& other);

// Throws sdk::Failure(SLUICE_INVALID) where slices are asked for, and the range cannot be cut into so many.
void expect_slices(const sluice_collective& collective, std::uint32_t world_replicas);

}  // namespace sluice::in_step
