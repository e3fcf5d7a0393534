// Helpers for collectives: how they are sent, whether replicas are in step, and texts for messages.
#pragma once

#include <cstdint>
#include <string>

#include "sluice/kind/strategy.h"

namespace sluice::in_step {

// Bytes. Ranges of up to this size are sent whole to all replicas, unless the collective works on slices.
constexpr std::uint64_t kSmall = 16384;
// True if the collective works on one slice for each replica.
[[nodiscard]] bool is_cut(const sluice_collective& collective);
// True if the collective is float32 and is sent as bfloat16. Small ranges are sent as they are.
[[nodiscard]] bool is_narrow(const sluice_collective& collective);

// "'gradients 2 of 7' (1024 elements)"
[[nodiscard]] std::string text_of(const sluice_collective& collective);
// "8 s"
[[nodiscard]] std::string seconds_text(double seconds);

// Why all collectives are aborted.
struct AbortReason {
    std::string text;               // empty: they are not
    bool names_collective = false;  // the text says which collective the others waited for

    [[nodiscard]] bool empty() const { return text.empty(); }
};

// "replica 1 did not join 'gradients 2 of 7' (1024 elements) within 8 s"; what: by text_of().
[[nodiscard]] AbortReason missed(const std::string& who, const std::string& what, double seconds);

// The text for a replica that was waiting for `what` when the reason reached it.
[[nodiscard]] std::string waited(const AbortReason& reason, const std::string& what);

// Returns why a replica that starts `other` is out of step with one that started `first`; empty: it is not.
[[nodiscard]] std::string why_out_of_step(const sluice_collective& first, const sluice_collective& other);

// Throws sdk::Failure(SLUICE_INVALID) if a collective on slices cannot be cut into `world_replicas` equal slices.
void expect_slices(const sluice_collective& collective, std::uint32_t world_replicas);

}  // namespace sluice::in_step
