// The room that the samples of an epoch need if a cache keeps them, and the room that there is.
#pragma once

#include <cstddef>
#include <string>

#include "diagnose/evidence/evidence.hpp"

namespace sluice::diagnose {

// The source and the entries of the map whose results a cache keeps; 0: there is no cache.
std::size_t cached_entries(const Evidence& evidence);
// The bytes of all samples of an epoch after the first `entries` of the map without its cache.
double kept_bytes(const Evidence& evidence, std::size_t entries);
// True if a cache in memory after so many entries has room for them.
bool fit_in_memory(const Evidence& evidence, std::size_t entries);
// Why a cache on disk after so many entries would not help: the disk is too full or too slow. Empty: it may help.
std::string why_not_on_disk(const Evidence& evidence, std::size_t entries);
// Experiments read a cache on disk from the page cache. If its samples do not fit there, the disk limits the gain.
Ratio limited_by_disk(const Evidence& evidence, Ratio ratio, std::size_t entries);
// True if the cache of the training data has no room for all samples, and the source still reads some of them.
bool is_cache_too_small(const Evidence& evidence);

}  // namespace sluice::diagnose
