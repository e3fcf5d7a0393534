// A strategy: the replicas of a training and their collectives (kind/strategy.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "registry/objects/object.hpp"
#include "sluice/kind/strategy.h"

namespace sluice::registry {

class Strategy {
public:
    Strategy(const Component& component, const Table& options, const Origin& origin, std::uint32_t device_count);
    [[nodiscard]] const sluice_topology& topology() const { return topology_; }
    // [any thread], one call at a time for a replica.
    void start(const sluice_collective& collective) const;
    // Throws Error(Exit::replica_lost) if another replica does not arrive within `seconds`, is lost or is out of step.
    void finish(std::uint32_t replica, double seconds) const;
    // Makes all waits of all replicas fail with `reason`, now and later. [any thread]
    void abort(std::string_view reason) const noexcept;
    [[nodiscard]] const Object<sluice_strategy>& object() const { return object_; }

private:
    Object<sluice_strategy> object_;
    sluice_topology topology_{};
};

}  // namespace sluice::registry
