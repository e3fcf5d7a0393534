// Changes of a stream's map, as values for --set.
#pragma once

#include <cstddef>
#include <string>

#include "base/value.hpp"
#include "config/spec.hpp"

namespace sluice::diagnose {

// The map of data.`stream` as it is written; empty if it has none.
Array map_of(const config::PipelineSpec& spec, const std::string& stream);
// True if this entry is a cache.
bool is_cache_entry(const Value& entry);
// The map without its cache.
Array without_cache(const Array& map);
// The map with a cache in `place`, "memory" or "disk", after the first `entries` of its other entries, and no other
// cache. It keeps the options of a cache that is in this place already.
Array with_cache(const Array& map, std::size_t entries, const std::string& place);
// "data.train.map=[...]".
std::string set_of_map(const std::string& stream, const Array& map);

}  // namespace sluice::diagnose
