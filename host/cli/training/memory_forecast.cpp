#include "cli/training/memory_forecast.hpp"

#include <algorithm>
#include <cstdint>

#include "run/collective/sharing.hpp"

namespace sluice::cli {

MemoryForecast forecast_memory(const config::PipelineSpec& spec, const registry::Device& device, const plan::Plan& made,
                               std::size_t states, const sluice_topology& topology) {
    const bool trains = made.graph.mode == plan::Mode::train;
    const std::uint32_t world = std::max(topology.world_replicas, 1U);
    const auto bytes_of = [&](const plan::UpdateShare& share) {
        return plan::weight_bytes(made, states, trains && spec.train.ema > 0.0, share);
    };
    const plan::WeightBytes weights = bytes_of(trains ? run::update_share(spec, world) : plan::UpdateShare{});
    const std::int64_t shards = run::shard_count(spec, topology);
    plan::MemoryNeed need = plan::memory_need(
        made, weights, spec, device,
        {.has_others = trains && world > 1, .shards_per_replica = shards / static_cast<std::int64_t>(world)});
    if (trains) {
        need.shards = shards;
        need.others = weights.total() - std::min(weights.total(), bytes_of({.replicas = world}).total());
    }
    return {weights, need};
}

}  // namespace sluice::cli
