// Whether a transform of a chain draws at random.
#pragma once

#include <cstdint>
#include <string>

#include "config/spec.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::prepare {

// What the draws of a chain depend on.
struct RandomKey {
    std::uint64_t seed = 0;
    std::string purpose;  // "data.train"
};

// Whether the last transform of the map may make another sample of the same one in another epoch. As its manifest says;
// where that says nothing, as some samples that are made for several epochs let it seem.
bool last_draws(const config::StreamSpec& made, const RandomKey& key, const registry::Registry& registry);

bool is_cache(const config::ComponentSpec& entry);

// The chain as it is where what the first `entries` of its map make is kept, and nothing else is.
config::StreamSpec kept_at(config::StreamSpec stream, std::size_t entries);

}  // namespace sluice::prepare
