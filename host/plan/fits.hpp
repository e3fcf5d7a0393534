// Whether what a plan takes fits into the memory of its device, said before anything is allocated.
#pragma once

#include <cstdint>
#include <string>

#include "config/spec.hpp"
#include "plan/plan.hpp"

namespace sluice::plan {

// Steps that the host may be ahead of a device whose work runs later: enough that it finds the next when one ends.
inline constexpr std::size_t kStepsAhead = 2;
// The batches, or pieces of them, that are held on such a device, those of all steps that may be on it; on another
// none.
std::size_t staged_batches(const Plan& plan, const config::PipelineSpec& spec, const registry::Device& device);

struct MemoryNeed {
    std::uint64_t arena = 0;    // activations, their gradients and workspace
    std::uint64_t weights = 0;  // and all that lies beside them: gradients, states of the optimizer, averages
    std::uint64_t kept = 0;     // of these: what parts of a step give to it, where it is kept apart
    std::uint64_t batches = 0;  // on their way to a device whose work runs later
    std::int64_t pieces = 1;    // in which a replica computes its samples of a batch
    std::int64_t shards = 1;    // into which replicas cut a batch
    std::uint64_t others = 0;   // of the weights: what strategy.shard_optimizer would leave to the other replicas
    [[nodiscard]] std::uint64_t total() const { return arena + weights + batches; }
};
// What a replica has to do beside computing one batch after the other.
struct ReplicaPart {
    bool has_others = false;
    std::int64_t own_shards = 1;  // of a batch; what each gives to a step is kept apart
};

// Whether a replica keeps the gradients of the parts of a step so far: beside others, with which layers join it, a part
// may have no sample for it.
bool keeps_gradients(const Plan& plan, const config::PipelineSpec& spec, bool has_others);
MemoryNeed memory_need(const Plan& plan, const WeightBytes& weights, const config::PipelineSpec& spec,
                       const registry::Device& device, const ReplicaPart& part = {});

// Empty where `free` bytes suffice; otherwise what is needed, what is free and what would help.
std::string why_too_large(const MemoryNeed& need, std::uint64_t free, const config::PipelineSpec& spec, Mode mode);

// Throws OutOfMemory where it does not fit into the `free` bytes of the device.
void check_fits(const MemoryNeed& need, std::uint64_t free, const config::PipelineSpec& spec, Mode mode,
                const registry::Device& device);

}  // namespace sluice::plan
