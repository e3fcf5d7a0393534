#include "diagnose/experiments/map_edits.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "config/cache_entry.hpp"

namespace sluice::diagnose {
namespace {

// "memory" or "disk" of a cache.
std::string place_of(const Value& cache) {
    const Table* const table = cache.as_table();
    const Value* const place = table != nullptr ? table->find("in") : nullptr;
    const std::string* const name = place != nullptr ? place->as_string() : nullptr;
    return name != nullptr ? *name : "memory";
}

}  // namespace

Array map_of(const config::PipelineSpec& spec, const std::string& stream) {
    const Value* value = spec.resolved.find("data");
    for (const std::string& key : {stream, std::string("map")}) {
        const Table* const table = value != nullptr ? value->as_table() : nullptr;
        value = table != nullptr ? table->find(key) : nullptr;
    }
    if (value == nullptr) {
        return {};
    }
    const Array* const entries = value->as_array();
    return entries != nullptr ? *entries : Array{*value};
}

bool is_cache_entry(const Value& entry) {
    const Table* const table = entry.as_table();
    const Value* const use = table != nullptr ? table->find("use") : &entry;
    const std::string* const name = use != nullptr ? use->as_string() : nullptr;
    return name != nullptr && *name == config::kCache;
}

Array without_cache(const Array& map) {
    Array rest;
    std::ranges::copy_if(map, std::back_inserter(rest), [](const Value& entry) { return !is_cache_entry(entry); });
    return rest;
}

Array with_cache(const Array& map, std::size_t entries, const std::string& place) {
    const auto present = std::ranges::find_if(
        map, [&](const Value& entry) { return is_cache_entry(entry) && place_of(entry) == place; });
    Table cache;
    cache.set("use", {std::string(config::kCache), {}});
    cache.set("in", {place, {}});
    if (const Table* const options = present != map.end() ? present->as_table() : nullptr) {
        cache = *options;
    }
    Array changed = without_cache(map);
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(std::min(entries, changed.size())),
                   Value{std::move(cache), {}});
    return changed;
}

std::string set_of_map(const std::string& stream, const Array& map) {
    return "data." + stream + ".map=" + to_toml(Value{map, {}});
}

}  // namespace sluice::diagnose
