#include "in_step/in_step.hpp"

#include <array>
#include <cstdio>

#include "sluice/sdk/guard.hpp"
#include "sluice/sdk/tensor.hpp"

namespace sluice::in_step {

bool is_cut(const sluice_collective& collective) {
    return collective.kind == SLUICE_COLLECTIVE_REDUCE_SCATTER || collective.kind == SLUICE_COLLECTIVE_ALL_GATHER;
}

bool is_narrow(const sluice_collective& collective) {
    return sdk::same(collective.wire, sdk::kBfloat16) && sdk::same(collective.dtype, sdk::kFloat32) &&
           (is_cut(collective) || collective.count * sizeof(float) > kSmall);
}

std::string text_of(const sluice_collective& collective) {
    return "'" + std::string(sdk::view(collective.name)) + "' (" + std::to_string(collective.count) + " elements)";
}

std::string seconds_text(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g s", seconds);
    return text.data();
}

AbortReason missed(const std::string& who, const std::string& what, double seconds) {
    return {.text = who + " did not join " + what + " within " + seconds_text(seconds), .names_collective = true};
}

std::string waited(const AbortReason& reason, const std::string& what) {
    return reason.names_collective ? reason.text : reason.text + "; the others waited for " + what;
}

std::string why_out_of_step(const sluice_collective& first, const sluice_collective& other) {
    const bool same = first.kind == other.kind && first.count == other.count && sdk::same(first.dtype, other.dtype) &&
                      sdk::view(first.name) == sdk::view(other.name);
    return same ? std::string()
                : "replica " + std::to_string(other.replica) + " is out of step: it started " + text_of(other) +
                      ", but replica " + std::to_string(first.replica) + " started " + text_of(first);
}

void expect_slices(const sluice_collective& collective, std::uint32_t world_replicas) {
    if (is_cut(collective) && collective.count % world_replicas != 0) {
        const std::string world = std::to_string(world_replicas);
        throw sdk::Failure(SLUICE_INVALID, text_of(collective) + " cannot be cut into " + world +
                                               " slices of equal length, one for each replica; a multiple of " + world +
                                               " elements is needed");
    }
}

}  // namespace sluice::in_step
