// How replicas share a batch and the cores.
#pragma once

#include <cstdint>

#include "config/spec.hpp"
#include "data/loader/batch.hpp"
#include "plan/buckets.hpp"
#include "plan/single_value_norms.hpp"
#include "plan/toolbox.hpp"
#include "registry/objects/strategy.hpp"

namespace sluice::run {

// Opens the strategy of the table [strategy] for the device of `tools`.
registry::Strategy open_strategy(const config::PipelineSpec& spec, const plan::Toolbox& tools, int cores);

// Returns the topology of replicas that each have their own device and process.
sluice_topology on_own_devices(std::uint32_t replicas);

// Throws Error(Exit::config) if the replicas cannot share the pipeline's batch.
void check_shared(const config::PipelineSpec& spec, const plan::Toolbox& tools, const sluice_topology& topology);

// Returns the number of shards of a batch over all replicas. Every replica computes the same number of shards.
std::int64_t shard_count(const config::PipelineSpec& spec, const sluice_topology& topology);

// Returns the sizes of the batches in an epoch of `samples` samples.
plan::BatchSizes batch_sizes(const config::PipelineSpec& spec, const sluice_topology& topology, std::uint64_t samples);

// Returns the range of a batch of `samples` that this process computes; the first sample if that range is empty.
data::SampleRange own_samples(const config::PipelineSpec& spec, const sluice_topology& topology, std::int64_t samples);

// Returns the samples of the largest shard of a batch of `batch` samples.
std::int64_t shard_batch(const config::PipelineSpec& spec, const sluice_topology& topology, std::int64_t batch);

// Returns the cores that compute one shard. With strategy.micro_shards the result does not depend on the number of
// replicas.
int cores_of_shard(const config::PipelineSpec& spec, const sluice_topology& topology, int cores);

// Returns the bucket size in bytes before tuning: strategy.bucket, or 4 MiB.
std::uint64_t bucket_bytes(const config::SharingSpec& sharing);

// Returns the share of the update that replica `rank` computes.
plan::UpdateShare update_share(const config::PipelineSpec& spec, std::uint32_t replicas, std::uint32_t rank = 0);

}  // namespace sluice::run
