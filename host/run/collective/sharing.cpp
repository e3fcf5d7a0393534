#include "run/collective/sharing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "base/program_name.hpp"
#include "base/text/counted.hpp"
#include "run/collective/shard_range.hpp"

namespace sluice::run {
namespace {

// Default number of replicas in this process: one on each device; on a CPU two, or one if it has a single core.
std::uint32_t device_count(const plan::Toolbox& tools, int cores) {
    if (tools.device->is_host_memory()) {
        return static_cast<std::uint32_t>(std::clamp(cores, 1, 2));
    }
    return registry::Device::count(
        tools.registry->find(registry::Kind::device, tools.device_spec.use, tools.device_spec.origin));
}

// A strategy that has an option `wire` gets the value of the pipeline.
Table options_of(const registry::Component& component, const config::PipelineSpec& spec, const plan::Toolbox& tools) {
    config::ComponentSpec strategy = spec.strategy;
    if (std::ranges::find(component.manifest->options, "wire", &registry::OptionSchema::name) !=
        component.manifest->options.end()) {
        strategy.options.set("wire", {spec.sharing.sends_bfloat16 ? "bfloat16" : "float32", strategy.origin});
    }
    return tools.registry->options(component, strategy);
}

}  // namespace

registry::Strategy open_strategy(const config::PipelineSpec& spec, const plan::Toolbox& tools, int cores) {
    const registry::Component component =
        tools.registry->find(registry::Kind::strategy, spec.strategy.use, spec.strategy.origin, tools.device->kind());
    return {component, options_of(component, spec, tools), spec.strategy.origin, device_count(tools, cores)};
}

sluice_topology on_own_devices(std::uint32_t replicas) {
    return {.struct_size = sizeof(sluice_topology),
            .local_replicas = 1,
            .first_replica = 0,
            .world_replicas = replicas,
            .reserved = 0};
}

void check_shared(const config::PipelineSpec& spec, const plan::Toolbox& tools, const sluice_topology& topology) {
    const std::string where = to_string(spec.strategy.origin);
    const std::int64_t shards = shard_count(spec, topology);
    if (shards > spec.data.batch) {
        throw Error(Exit::config,
                    fmt::format("{}: a batch of {} cannot be shared by {} {}; set data.batch = {} or more", where,
                                counted(spec.data.batch, "sample"), shards,
                                spec.sharing.micro_shards > 0 ? "micro-shards" : "replicas", shards));
    }
    if (shards % topology.world_replicas != 0) {
        throw Error(Exit::config, fmt::format("{}: strategy.micro_shards = {} cannot be divided evenly among {} "
                                              "replicas; choose a multiple of {}",
                                              where, shards, topology.world_replicas, topology.world_replicas));
    }
    if (!std::has_single_bit(static_cast<std::uint64_t>(shards / topology.world_replicas))) {
        throw Error(
            Exit::config,
            fmt::format("{}: strategy.micro_shards = {} gives {} to each of {}; choose a power of two per replica, "
                        "since only those are summed in the same order on any number of replicas",
                        where, shards, shards / topology.world_replicas, counted(topology.world_replicas, "replica")));
    }
    if (spec.pin && topology.local_replicas > 1) {
        throw Error(
            Exit::config,
            fmt::format("{}: device.pin would put all {} replicas on the same cores; remove it, or train with one "
                        "replica per process (`{} -n {}`), so that each has its own cores",
                        where, topology.local_replicas, typed("launch"), topology.local_replicas));
    }
    if (shards > topology.world_replicas && !tools.device->is_host_memory()) {
        throw Error(Exit::config,
                    fmt::format("{}: strategy.micro_shards = {} on device '{}' is more than one for each of {}; only a "
                                "CPU can compute several micro-shards per replica",
                                where, shards, tools.device->kind(), counted(topology.world_replicas, "replica")));
    }
}

std::int64_t shard_count(const config::PipelineSpec& spec, const sluice_topology& topology) {
    return spec.sharing.micro_shards > 0 ? spec.sharing.micro_shards : topology.world_replicas;
}

plan::BatchSizes batch_sizes(const config::PipelineSpec& spec, const sluice_topology& topology, std::uint64_t samples) {
    return {.whole = spec.data.batch,
            .last = static_cast<std::int64_t>(samples) % spec.data.batch,
            .shards = std::max<std::int64_t>(shard_count(spec, topology), 1)};
}

data::SampleRange own_samples(const config::PipelineSpec& spec, const sluice_topology& topology, std::int64_t samples) {
    const std::int64_t shards = shard_count(spec, topology);
    const auto first_of = [&](std::uint32_t replica) {
        return first_of_shard(shards / topology.world_replicas * replica, shards, samples);
    };
    const data::SampleRange own{first_of(topology.first_replica),
                                first_of(topology.first_replica + topology.local_replicas)};
    return own.begin < own.end ? own : data::SampleRange{0, 1};
}

std::int64_t shard_batch(const config::PipelineSpec& spec, const sluice_topology& topology, std::int64_t batch) {
    const std::int64_t shards = shard_count(spec, topology);
    return (batch + shards - 1) / shards;
}

int cores_of_shard(const config::PipelineSpec& spec, const sluice_topology& topology, int cores) {
    return spec.sharing.micro_shards > 0 ? static_cast<int>(spec.sharing.shard_threads)
                                         : std::max(cores / static_cast<int>(topology.local_replicas), 1);
}

std::uint64_t bucket_bytes(const config::SharingSpec& sharing) {
    return sharing.bucket.value_or(std::uint64_t{4} << 20);
}

plan::UpdateShare update_share(const config::PipelineSpec& spec, std::uint32_t replicas, std::uint32_t rank) {
    const bool shared = spec.sharing.shard_optimizer;
    return {.bucket = bucket_bytes(spec.sharing), .replicas = shared ? replicas : 1, .rank = shared ? rank : 0};
}

}  // namespace sluice::run
