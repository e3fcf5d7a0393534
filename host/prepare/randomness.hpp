// Finds out whether a transform of a chain draws at random.
#pragma once

#include <cstdint>
#include <string>

#include "config/spec.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::prepare {

// The draws of a chain depend on this key.
struct RandomKey {
    std::uint64_t seed = 0;
    std::string purpose;  // "data.train"
};

// True if the last transform of the map may give another sample in another epoch. Its manifest decides. If the manifest
// does not say, some samples are made for several epochs and compared.
bool is_last_random(const config::StreamSpec& made, const RandomKey& key, const registry::Registry& registry);

}  // namespace sluice::prepare
