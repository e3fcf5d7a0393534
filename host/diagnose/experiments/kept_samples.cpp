#include "diagnose/experiments/kept_samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/byte_size.hpp"
#include "config/cache_entry.hpp"
#include "diagnose/experiments/map_edits.hpp"

namespace sluice::diagnose {
namespace {

const config::ComponentSpec* cache_of(const Evidence& evidence) {
    const auto& map = evidence.spec.data.train.map;
    const auto cache = std::ranges::find_if(map, config::is_cache);
    return cache != map.end() ? &*cache : nullptr;
}

// The bytes that a cache in this place may take: its budget if there is one already.
double room_of(const Evidence& evidence, bool on_disk) {
    const config::ComponentSpec* const cache = cache_of(evidence);
    if (cache != nullptr && config::is_on_disk(*cache) == on_disk) {
        if (const auto budget = config::budget_of(*cache)) {
            return static_cast<double>(*budget);
        }
    }
    return on_disk ? evidence.facts.disk_room : evidence.facts.cache_room;
}

// Seconds that the disk needs for the kept form of a sample; 0: not known, or the samples fit into the page cache.
double disk_seconds(const Evidence& evidence, std::size_t entries) {
    const Facts& facts = evidence.facts;
    const double bytes = kept_bytes(evidence, entries);
    const bool is_in_page_cache = bytes <= static_cast<double>(facts.available);
    return facts.disk_rate > 0.0 && !is_in_page_cache ? bytes / std::max(facts.epoch_samples, 1.0) / facts.disk_rate
                                                      : 0.0;
}

double sample_seconds(const Facts& facts) { return facts.seconds / std::max(facts.samples, 1.0); }

}  // namespace

std::size_t cached_entries(const Evidence& evidence) {
    const auto& map = evidence.spec.data.train.map;
    const auto cache = std::ranges::find_if(map, config::is_cache);
    return cache != map.end() ? static_cast<std::size_t>(cache - map.begin()) + 1 : 0;
}

// The bytes of a sample are those that the last of the entries wrote.
double kept_bytes(const Evidence& evidence, std::size_t entries) {
    const Facts& facts = evidence.facts;
    const Array map = map_of(evidence.spec, "train");
    double bytes = facts.input.empty() ? 0.0 : facts.input.front().bytes;
    std::size_t passed = 0;
    for (std::size_t i = 0; i < map.size() && i + 1 < facts.input.size() && passed < entries; ++i) {
        if (!is_cache_entry(map[i])) {
            ++passed;
            bytes = std::max(facts.input[i + 1].bytes, 1.0);
        }
    }
    return bytes * facts.epoch_samples;
}

bool fit_in_memory(const Evidence& evidence, std::size_t entries) {
    return kept_bytes(evidence, entries) <= room_of(evidence, /*on_disk=*/false);
}

std::string why_not_on_disk(const Evidence& evidence, std::size_t entries) {
    const double bytes = kept_bytes(evidence, entries);
    const double room = room_of(evidence, /*on_disk=*/true);
    if (bytes > room) {
        return fmt::format("the samples of an epoch need {}, and the disk has room for {}",
                           format_size(static_cast<std::uint64_t>(bytes)),
                           format_size(static_cast<std::uint64_t>(room)));
    }
    if (const double seconds = disk_seconds(evidence, entries); seconds > sample_seconds(evidence.facts)) {
        return fmt::format("the disk reads {:.0f} MB/s, and needs {:.1f} ms for a sample",
                           1e-6 * evidence.facts.disk_rate, 1e3 * seconds);
    }
    return {};
}

Ratio limited_by_disk(const Evidence& evidence, Ratio ratio, std::size_t entries) {
    const double least = disk_seconds(evidence, entries) / sample_seconds(evidence.facts);
    ratio.value = std::max(ratio.value, least);
    ratio.high = std::max(ratio.high, ratio.value);
    return ratio;
}

bool is_cache_too_small(const Evidence& evidence) {
    constexpr double kRead = 0.05;
    const config::ComponentSpec* const cache = cache_of(evidence);
    return cache != nullptr && !evidence.facts.input.empty() && evidence.facts.input.front().calls >= kRead &&
           kept_bytes(evidence, cached_entries(evidence) - 1) > room_of(evidence, config::is_on_disk(*cache));
}

}  // namespace sluice::diagnose
