#include "prepare/prefix.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/program_name.hpp"
#include "base/text/counted.hpp"
#include "base/text/nearest.hpp"
#include "config/cache_entry.hpp"
#include "data/chain/chain.hpp"
#include "data/chain/sources.hpp"
#include "prepare/sample_weights.hpp"
#include "registry/optional/batch_transform.hpp"

namespace sluice::prepare {
namespace {

// The first entry of the map that works on whole batches. No entry of samples follows it.
auto find_of_batches(const config::StreamSpec& stream, const registry::Registry& registry) {
    return std::ranges::find_if(stream.map, [&](const config::ComponentSpec& entry) {
        return !config::is_cache(entry) &&
               registry::works_on_batches(registry.find(registry::Kind::transform, entry.use, entry.origin));
    });
}

// True if any transform draws at random.
bool is_random(const config::StreamSpec& made, const RandomKey& draws, const registry::Registry& registry) {
    config::StreamSpec part = made;
    part.map.clear();
    return std::ranges::any_of(made.map, [&](const config::ComponentSpec& entry) {
        part.map.push_back(entry);
        return is_last_random(part, draws, registry);
    });
}

// The number of entries of the map that are prepared, caches included.
struct Cut {
    std::size_t entries = 0;
    std::string reason;
};

Cut cut_by_itself(const config::StreamSpec& stream, const RandomKey& draws, const registry::Registry& registry) {
    const std::vector<config::ComponentSpec>& map = stream.map;
    config::StreamSpec made = stream;
    made.map.clear();
    for (std::size_t i = 0; i < map.size(); ++i) {
        if (config::is_cache(map[i])) {
            return {i, "up to the cache"};
        }
        made.map.push_back(map[i]);
        if (is_last_random(made, draws, registry)) {
            return {i, fmt::format("up to '{}', which draws at random", map[i].use)};
        }
    }
    return {map.size(), "all of them: none draws at random"};
}

Cut cut_by_count(const std::vector<config::ComponentSpec>& map, std::int64_t count) {
    const std::int64_t most = std::ranges::count_if(map, [](const auto& entry) { return !config::is_cache(entry); });
    if (count < 0 || count > most) {
        throw Error(Exit::config,
                    fmt::format("--prefix {}: the chain has {} of samples", count, counted(most, "transform")));
    }
    std::size_t entries = 0;
    for (std::int64_t left = count; left > 0; ++entries) {
        left -= config::is_cache(map[entries]) ? 0 : 1;
    }
    return {entries, "set by --prefix"};
}

Cut cut_by_name(const std::vector<config::ComponentSpec>& map, const std::string& name) {
    const auto at = std::ranges::find(map, name, &config::ComponentSpec::use);
    if (at == map.end()) {
        std::vector<std::string> names;
        std::ranges::transform(map, std::back_inserter(names), &config::ComponentSpec::use);
        throw Error(Exit::config, fmt::format("--until {}: the chain has no such transform of samples{}", name,
                                              suggestion(name, names)));
    }
    return {static_cast<std::size_t>(at - map.begin()) + 1, "set by --until"};
}

Cut cut_samples(const config::StreamSpec& stream, const PrefixChoice& choice, const RandomKey& draws,
                const registry::Registry& registry) {
    if (choice.count) {
        return cut_by_count(stream.map, *choice.count);
    }
    if (!choice.until.empty()) {
        return cut_by_name(stream.map, choice.until);
    }
    return choice.restart_jpeg ? Cut{0, "the files as they are, for --jpeg"} : cut_by_itself(stream, draws, registry);
}

// Moves the cut to the front until the transforms after it can work on stored samples: some need the transform that
// makes their pictures right before them. If the user chose the cut, it throws instead.
Cut separable(const config::StreamSpec& samples, Cut found, bool is_given, const RandomKey& draws,
              const registry::Registry& registry) {
    const std::size_t wanted = found.entries;
    for (; found.entries > 0; --found.entries) {
        try {
            const data::Chain unused(config::with_cache_at(samples, found.entries), registry, draws.seed,
                                     draws.purpose);
            return found;
        } catch (const data::SourceError&) {
            throw;
        } catch (const Error& error) {
            if (error.exit() != Exit::config) {
                throw;
            }
            // Throws if the chain is wrong even without a cut.
            const data::Chain unused(samples, registry, draws.seed, draws.purpose);
            if (is_given) {
                throw Error(Exit::config,
                            fmt::format("the prepared part, {}, would end where the pipeline cannot be cut in two: {}",
                                        found.reason, error.what()));
            }
            found.reason = fmt::format("'{}' needs '{}' right before it; --jpeg restart makes it decode only its part",
                                       samples.map[wanted].use, samples.map[found.entries - 1].use);
        }
    }
    return found;
}

// Transforms that work on whole batches are never prepared.
Cut cut(const config::StreamSpec& stream, const PrefixChoice& choice, const RandomKey& draws,
        const registry::Registry& registry) {
    const auto of_batches = find_of_batches(stream, registry);
    config::StreamSpec samples = without_weights(stream);
    samples.map.assign(stream.map.begin(), of_batches);
    Cut found = cut_samples(samples, choice, draws, registry);
    if (of_batches != stream.map.end() && found.entries == samples.map.size()) {
        found.reason = fmt::format("up to '{}', which works on whole batches", of_batches->use);
    }
    return separable(samples, found, choice.count || !choice.until.empty(), draws, registry);
}

}  // namespace

std::string to_toml(const config::ComponentSpec& spec) {
    Table table;
    table.set("use", {spec.use, {}});
    for (const auto& [key, value] : spec.options.entries()) {
        table.set(key, value);
    }
    return sluice::to_toml(Value{table, {}});
}

Prefix choose_prefix(const config::StreamSpec& stream, const PrefixChoice& choice, const RandomKey& draws,
                     const registry::Registry& registry) {
    const auto weighted = std::ranges::find_if(
        stream.sources, [](const config::SourceSpec& source) { return source.weight.has_value(); });
    if (weighted != stream.sources.end() && stream.sources.size() > 1) {
        throw Error(Exit::config,
                    fmt::format("{}: {} sources are mixed by weight, but {} writes each sample once; prepare "
                                "each source by itself, and mix the prepared folders",
                                to_string(weighted->component.origin), stream.sources.size(), typed("prepare")));
    }
    const auto [entries, reason] = cut(stream, choice, draws, registry);
    Prefix prefix{.made = stream, .left = {}, .reason = reason};
    prefix.made.map.clear();
    for (std::size_t i = 0; i < stream.map.size(); ++i) {
        if (i >= entries) {
            prefix.left.push_back(stream.map[i]);
        } else if (!config::is_cache(stream.map[i])) {
            prefix.made.map.push_back(stream.map[i]);
        }
    }
    const bool is_given = choice.count || !choice.until.empty();
    prefix.is_random = is_given && is_random(prefix.made, draws, registry);
    if (choice.restart_jpeg) {
        prefix.made.map.push_back(
            {.use = "jpeg_restart", .origin = stream.sources.front().component.origin, .options = {}});
    }
    return prefix;
}

}  // namespace sluice::prepare
