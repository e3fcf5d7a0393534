#include "registry/objects/strategy.hpp"

#include <fmt/format.h>

#include "registry/loading/reported_values.hpp"

namespace sluice::registry {

Strategy::Strategy(const Component& component, const Table& options, const Origin& origin, std::uint32_t device_count)
    : object_(make_object<sluice_strategy>(component, options, place_of(component, origin), device_count)) {
    topology_.struct_size = sizeof(topology_);
    call(component, place_of(component, origin), object_.table()->topology, object_.self(), &topology_);
    check_reserved(component, topology_.reserved, "its topology");
    constexpr std::uint32_t kMostReplicas = 4096;  // per process, because each takes a thread and memory
    if (topology_.local_replicas > kMostReplicas) {
        misbehaves(component, fmt::format("it has {} replicas in this process; 1 to {} is right",
                                          topology_.local_replicas, kMostReplicas));
    }
    const std::uint64_t end = std::uint64_t{topology_.first_replica} + topology_.local_replicas;
    if (topology_.local_replicas == 0 || end > topology_.world_replicas) {
        misbehaves(component, fmt::format("its replicas from {} up to before {} do not fit in a world of {}",
                                          topology_.first_replica, end, topology_.world_replicas));
    }
}

void Strategy::start(const sluice_collective& collective) const {
    sluice_error error{};
    if (const sluice_status status =
            enter(object_.component(), object_.table()->start, object_.self(), &collective, &error);
        status != SLUICE_OK) {
        throw_status(object_.component(), short_name(object_.component()), status, error);
    }
}

void Strategy::finish(std::uint32_t replica, double seconds) const {
    sluice_error error{};
    if (const sluice_status status =
            enter(object_.component(), object_.table()->finish, object_.self(), replica, seconds, &error);
        status != SLUICE_OK) {
        throw_status(object_.component(), short_name(object_.component()), status, error);
    }
}

void Strategy::abort(std::string_view reason) const noexcept {
    enter(object_.component(), object_.table()->abort, object_.self(), sluice_text{reason.data(), reason.size()});
}

}  // namespace sluice::registry
