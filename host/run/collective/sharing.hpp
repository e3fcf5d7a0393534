// How replicas share a batch and the cores.
#pragma once

#include <cstdint>

#include "config/spec.hpp"
#include "data/loader/loader.hpp"
#include "plan/buckets.hpp"
#include "plan/single_values.hpp"
#include "plan/toolbox.hpp"
#include "registry/objects/objects.hpp"

namespace sluice::run {

// The strategy that [strategy] names, for the device of these tools.
registry::Strategy open_strategy(const config::PipelineSpec& spec, const plan::Toolbox& tools, int cores);

// Of replicas that have a device and a process each.
sluice_topology on_own_devices(std::uint32_t replicas);

// Throws Error(Exit::config) where they cannot share the pipeline's batch.
void check_shared(const config::PipelineSpec& spec, const plan::Toolbox& tools, const sluice_topology& topology);

// Parts of a batch that are computed by themselves, over all replicas; each replica has as many of them.
std::int64_t shard_count(const config::PipelineSpec& spec, const sluice_topology& topology);

// Returns the sizes of batches in an epoch of that many samples.
plan::BatchSizes batch_sizes(const config::PipelineSpec& spec, const sluice_topology& topology, std::uint64_t samples);

// What replicas of this process compute of a batch of so many samples; the first sample where that is nothing.
data::SampleRange own_samples(const config::PipelineSpec& spec, const sluice_topology& topology, std::int64_t samples);

// How often, by data.stall_seconds, the input of one of several processes may stall before it is given up; and the
// seconds for which the others wait.
inline constexpr std::int64_t kMostStalls = 4;
double input_patience(const config::DataSpec& data);

// Samples of the largest of them, in a batch of `batch` samples.
std::int64_t shard_batch(const config::PipelineSpec& spec, const sluice_topology& topology, std::int64_t batch);

// Cores that compute one of them: the same for any number of replicas where the pipeline says into how many parts
// batches are cut.
int cores_of_shard(const config::PipelineSpec& spec, const sluice_topology& topology, int cores);

// Bytes of gradients that travel together, before anything else was found to be better.
std::uint64_t bucket_bytes(const config::SharingSpec& sharing);

// What replica `number` of all updates.
plan::UpdateShare update_share(const config::PipelineSpec& spec, std::uint32_t replicas, std::uint32_t number = 0);

}  // namespace sluice::run
