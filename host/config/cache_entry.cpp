#include "config/cache_entry.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/byte_size.hpp"

namespace sluice::config {
namespace {

// Returns an empty text if the option is not given or is no text, which the cache refuses when it is opened.
std::string text_option(const ComponentSpec& entry, std::string_view key) {
    const Value* const value = entry.options.find(key);
    return value != nullptr && value->as_string() != nullptr ? *value->as_string() : std::string();
}

}  // namespace

bool is_cache(const ComponentSpec& entry) { return entry.use == kCache; }

bool is_on_disk(const ComponentSpec& cache) { return text_option(cache, "in") == "disk"; }

std::optional<std::uint64_t> budget_of(const ComponentSpec& cache) { return parse_size(text_option(cache, "budget")); }

void move_disk_cache(StreamSpec& stream, const std::string& folder) {
    for (ComponentSpec& entry : stream.map) {
        if (is_cache(entry) && is_on_disk(entry)) {
            entry.options.set("folder", Value{folder, entry.origin});
        }
    }
}

StreamSpec with_cache_at(StreamSpec stream, std::size_t entries) {
    std::vector<ComponentSpec> map;
    for (std::size_t i = 0; i <= stream.map.size(); ++i) {
        if (i == entries) {
            map.push_back({.use = kCache, .origin = stream.sources.front().component.origin, .options = {}});
        }
        if (i < stream.map.size() && !is_cache(stream.map[i])) {
            map.push_back(stream.map[i]);
        }
    }
    stream.map = std::move(map);
    return stream;
}

}  // namespace sluice::config
