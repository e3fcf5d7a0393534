// The second of two processes of a training, without the first: what it gathers is its own value for both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "registry/loading/registry.hpp"
#include "registry/objects/strategy.hpp"
#include "registry/optional/processes.hpp"
#include "sluice/kind/processes.h"
#include "sluice/kind/strategy.h"

namespace sluice::test {

class SecondProcess {
public:
    [[nodiscard]] const registry::Processes& processes() const { return processes_; }

private:
    static sluice_status create(const sluice_host*, const sluice_value*, std::uint32_t, void**,
                                sluice_error*) noexcept {
        return SLUICE_OK;
    }
    static sluice_status topology(void*, sluice_topology* topology, sluice_error*) noexcept {
        topology->local_replicas = 1;
        topology->first_replica = 1;
        topology->world_replicas = 2;
        return SLUICE_OK;
    }
    static sluice_status place(void*, std::uint32_t* number, std::uint32_t* count, sluice_error*) noexcept {
        *number = 1;
        *count = 2;
        return SLUICE_OK;
    }
    static sluice_status gather(void*, const void* own, std::uint64_t bytes, void* all, sluice_text, double,
                                sluice_error*) noexcept {
        const auto* const from = static_cast<const std::byte*>(own);
        std::copy_n(from, bytes, std::copy_n(from, bytes, static_cast<std::byte*>(all)));
        return SLUICE_OK;
    }
    static const void* get(const sluice_component*, const char* id) noexcept {
        static constexpr sluice_processes table{.place = place, .gather = gather};
        return std::string_view(id) == SLUICE_PROCESSES_V1 ? &table : nullptr;
    }

    static constexpr sluice_strategy kTable{.create = create,
                                            .destroy = nullptr,
                                            .topology = topology,
                                            .start = nullptr,
                                            .finish = nullptr,
                                            .abort = nullptr};

    const registry::ComponentManifest manifest_{registry::Kind::strategy, "com.acme.pair", "pair", {}, {}, {}, {}};
    const registry::PluginManifest plugin_{};
    const sluice_component entry_{.id = {}, .get = get};
    const registry::Component component_{&manifest_, &plugin_, &entry_, &kTable, nullptr, {}};
    const registry::Strategy strategy_{component_, {}, {}, 1};
    const registry::Processes processes_{strategy_};
};

}  // namespace sluice::test
