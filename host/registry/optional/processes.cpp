#include "registry/optional/processes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "registry/loading/interfaces.hpp"
#include "registry/loading/reported_values.hpp"

namespace sluice::registry {

Processes::Processes(const Strategy& strategy)
    : strategy_(&strategy),
      table_(static_cast<const sluice_processes*>(
          optional_interface(strategy.object().component(), SLUICE_PROCESSES_V1))) {
    const Component& component = strategy.object().component();
    if (table_ == nullptr) {
        if (const auto& topology = strategy.topology(); topology.world_replicas != topology.local_replicas) {
            misbehaves(
                component,
                fmt::format("{} of its {} replicas are in this process, but it does not serve {} to reach the others",
                            topology.local_replicas, topology.world_replicas, SLUICE_PROCESSES_V1));
        }
        return;
    }
    sluice_error error{};
    if (const auto status = enter(component, table_->place, strategy.object().self(), &number_, &count_, &error);
        status != SLUICE_OK) {
        throw_status(component, short_name(component), status, error);
    }
    const sluice_topology& topology = strategy.topology();
    if (number_ >= count_ || std::uint64_t{count_} * topology.local_replicas != topology.world_replicas ||
        topology.first_replica != number_ * topology.local_replicas) {
        misbehaves(component,
                   fmt::format("it is process {} of {} with replicas {} to {} of {}, which do not fit together",
                               number_, count_, topology.first_replica,
                               topology.first_replica + topology.local_replicas, topology.world_replicas));
    }
}

void Processes::gather(std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                       double seconds) const {
    if (count_ == 1) {
        return;  // `all` already holds the own value
    }
    const Component& component = strategy_->object().component();
    sluice_error error{};
    const sluice_status status = enter(strategy_->object().component(), table_->gather, strategy_->object().self(),
                                       own.data(), own.size(), all.data(), {name.data(), name.size()}, seconds, &error);
    if (status != SLUICE_OK) {
        throw_status(component, fmt::format("{}, waiting for '{}'", short_name(component), name), status, error);
    }
}

std::vector<std::string> Processes::gather_texts(std::string_view own, std::string_view name, double seconds) const {
    if (count_ == 1) {
        return {std::string(own)};
    }
    const std::vector<std::uint64_t> sizes = gather<std::uint64_t>(own.size(), name, seconds);
    const std::uint64_t most = std::ranges::max(sizes);
    std::vector<char> padded(most);
    std::ranges::copy(own, padded.begin());
    std::vector<char> all(most * count_);
    gather(std::as_bytes(std::span(padded)), std::as_writable_bytes(std::span(all)), name, seconds);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        texts.emplace_back(all.data() + i * most, sizes[i]);
    }
    return texts;
}

}  // namespace sluice::registry
