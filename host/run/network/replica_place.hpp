// The position of a replica among all replicas.
#pragma once

#include <cstdint>

#include "registry/objects/strategy.hpp"

namespace sluice::run {

struct ReplicaPlace {
    const registry::Strategy* strategy = nullptr;  // null: there are no other replicas
    std::uint32_t local_rank = 0;                  // in this process
    std::uint32_t rank = 0;                        // among all replicas
    std::uint32_t world = 1;                       // number of all replicas
    std::int64_t shards = 1;                       // of a batch; every replica computes the same number of them
    bool is_one_of_several_processes = false;
};

}  // namespace sluice::run
