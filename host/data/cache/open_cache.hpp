// Opens the cache that an entry of a map describes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "data/cache/cache.hpp"

namespace sluice::data {

// `purpose` opens messages. `bytes`: budget of a cache in memory whose entry does not set one. Throws
// Error(Exit::config) if a disk cache has no folder.
std::unique_ptr<SampleCache> open_cache(const config::ComponentSpec& entry, const CacheKey& key,
                                        const std::string& purpose, std::optional<std::uint64_t> bytes);

}  // namespace sluice::data
