// Checks whether a plan fits into the memory of its device, before anything is allocated.
#pragma once

#include <cstdint>
#include <string>

#include "config/spec.hpp"
#include "plan/plan.hpp"

namespace sluice::plan {

struct MemoryNeed {
    std::uint64_t arena = 0;    // activations, their gradients and workspace
    std::uint64_t weights = 0;  // weights, gradients, optimizer states and averages
    std::uint64_t kept = 0;     // part of `weights`: what micro-batches and shards add to a step, if stored separately
    std::uint64_t batches = 0;  // in flight to an asynchronous device
    std::int64_t micro_batches = 1;  // micro-batches into which a replica splits its samples of a batch
    std::int64_t shards = 1;         // into which all replicas split a batch
    std::uint64_t others = 0;  // part of `weights` that strategy.shard_optimizer would leave to the other replicas
    [[nodiscard]] std::uint64_t total() const { return arena + weights + batches; }
};
// The share of one replica in each batch.
struct ReplicaPart {
    bool has_others = false;
    std::int64_t shards_per_replica =
        1;  // shards of a batch on this replica; what each adds to a step is stored separately
};

// True if a replica stores the gradients of a step's micro-batches so far. It does so if layers sum over all replicas,
// because a micro-batch may then have no sample for this replica.
bool keeps_gradients(const Plan& plan, const config::PipelineSpec& spec, bool has_others);
MemoryNeed memory_need(const Plan& plan, const WeightBytes& weights, const config::PipelineSpec& spec,
                       const registry::Device& device, const ReplicaPart& part = {});

// Returns an empty text if `free` bytes suffice; otherwise what is needed, what is free and what would help.
std::string why_too_large(const MemoryNeed& need, std::uint64_t free, const config::PipelineSpec& spec, Mode mode);

// Throws OutOfMemory if `need` exceeds the `free` bytes of the device.
void check_fits(const MemoryNeed& need, std::uint64_t free, const config::PipelineSpec& spec, Mode mode,
                const registry::Device& device);

}  // namespace sluice::plan
