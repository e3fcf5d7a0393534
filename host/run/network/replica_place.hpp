// Where a replica stands among all of them.
#pragma once

#include <cstdint>

#include "registry/objects/objects.hpp"

namespace sluice::run {

struct ReplicaPlace {
    const registry::Strategy* strategy = nullptr;  // null: it is alone
    std::uint32_t local = 0;                       // number in this process
    std::uint32_t number = 0;                      // in the world
    std::uint32_t world = 1;
    std::int64_t shards = 1;  // of a batch, dealt evenly to the world
    bool is_one_of_several_processes = false;
};

}  // namespace sluice::run
