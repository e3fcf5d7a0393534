// The entry `{ use = "cache", in = "disk", budget = "200 GiB" }` of a map. The host serves it itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "config/spec.hpp"

namespace sluice::config {

inline constexpr const char* kCache = "cache";

bool is_cache(const ComponentSpec& entry);
// For a cache: true if it keeps samples on disk, else in memory.
bool is_on_disk(const ComponentSpec& cache);
// For a cache: the bytes that it may keep; nullopt if the entry gives none, or a text that is not a size.
std::optional<std::uint64_t> budget_of(const ComponentSpec& cache);

// The folder of a cache on disk moves to `folder`.
void move_disk_cache(StreamSpec& stream, const std::string& folder);

// Returns the stream with one cache, after the first `entries` of its map, and no other cache.
StreamSpec with_cache_at(StreamSpec stream, std::size_t entries);

}  // namespace sluice::config
