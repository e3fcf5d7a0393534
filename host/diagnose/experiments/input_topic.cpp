// Measures what the input costs: by waiting for it, and by the cores, memory bandwidth and locks that it takes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text/byte_size.hpp"
#include "config/cache_entry.hpp"
#include "diagnose/experiments/map_edits.hpp"
#include "diagnose/experiments/topic.hpp"

namespace sluice::diagnose {
namespace {

constexpr const char* kReplay = "replay";
constexpr const char* kCached = "cache in memory";
constexpr const char* kOnDisk = "cache on disk";
constexpr const char* kFewerWorkers = "fewer workers";
constexpr const char* kMoreWorkers = "more workers";
constexpr const char* kBlocks = "order by blocks";
constexpr const char* kLargerCache = "larger cache";
constexpr const char* kInputAlone = "input alone";
constexpr const char* kColdInput = "input alone, cold";
constexpr double kShareOfMemory = 0.25;  // of the available memory, that a cache may take by default

const InputStage* slowest_stage(const Facts& facts) {
    const auto slowest = std::ranges::max_element(facts.input, {}, &InputStage::seconds);
    return slowest != facts.input.end() ? &*slowest : nullptr;
}

// The number of a transform in the map as it is written; nothing if its stage is the source or the cache.
std::optional<std::size_t> entry_of(const Evidence& evidence, const InputStage& stage) {
    const auto index = static_cast<std::size_t>(&stage - evidence.facts.input.data());
    const Array map = map_of(evidence.spec, "train");
    if (index == 0 || index > map.size() || is_cache_entry(map[index - 1])) {
        return std::nullopt;
    }
    return index - 1;
}

std::string without_stage(const InputStage& stage) { return fmt::format("without '{}'", stage.name); }

// The bytes of a sample after the first `entries` of the map without its cache: those that its last stage wrote.
double bytes_after(const Evidence& evidence, std::size_t entries) {
    const Array map = map_of(evidence.spec, "train");
    double bytes = evidence.facts.input.empty() ? 0.0 : evidence.facts.input.front().bytes;
    std::size_t passed = 0;
    for (std::size_t i = 0; i < map.size() && i + 1 < evidence.facts.input.size() && passed < entries; ++i) {
        if (!is_cache_entry(map[i])) {
            ++passed;
            bytes = std::max(evidence.facts.input[i + 1].bytes, 1.0);
        }
    }
    return bytes;
}

// The source and the entries of the map whose results a cache keeps; 0: there is no cache.
std::size_t cached_entries(const Evidence& evidence) {
    const auto& map = evidence.spec.data.train.map;
    const auto cache = std::ranges::find_if(map, config::is_cache);
    return cache != map.end() ? static_cast<std::size_t>(cache - map.begin()) + 1 : 0;
}

Variant cache_variant(const Evidence& evidence, bool on_disk) {
    const std::int64_t repeated = repeated_samples(evidence.facts);
    const std::string medium = on_disk ? "disk" : "memory";
    const std::size_t entries = evidence.facts.steady_entries;
    const Array map = map_of(evidence.spec, "train");
    const Array others = without_cache(map);
    const double bytes = bytes_after(evidence, entries) * evidence.facts.epoch_samples;
    const Table* const last = entries > 0 ? others[entries - 1].as_table() : nullptr;
    const Value* const use = last != nullptr ? last->find("use") : nullptr;
    const std::string place =
        use != nullptr && use->as_string() != nullptr ? "after '" + *use->as_string() + "'" : "after the source";
    return {.name = on_disk ? kOnDisk : kCached,
            .what = fmt::format("samples are kept {} {} {}", on_disk ? "on" : "in", medium, place),
            .sets = {set_of_map("train", with_cache(map, entries, medium)),
                     fmt::format("what_if.repeat_samples={}", repeated)},
            .change = ChangeClass::same_bits,
            .warm_samples = samples_until_full(evidence.facts),
            .cost = fmt::format("takes about {} of {}", format_size(static_cast<std::uint64_t>(bytes)), medium)};
}

bool fits_in_memory(const Evidence& evidence) {
    const double bytes = bytes_after(evidence, evidence.facts.steady_entries) * evidence.facts.epoch_samples;
    return bytes <= kShareOfMemory * static_cast<double>(evidence.facts.available);
}

Variant workers_variant(const char* name, std::int64_t workers) {
    return {.name = name,
            .what = fmt::format("{} threads make samples", workers),
            .sets = {fmt::format("data.workers={}", workers)},
            .change = ChangeClass::same_bits};
}

Variant larger_cache_variant(const Evidence& evidence) {
    const std::size_t index = cached_entries(evidence) - 1;
    const double bytes = 1.2 * bytes_after(evidence, index) * evidence.facts.epoch_samples;
    constexpr double kMebibyte = 1024.0 * 1024.0;
    const auto mebibytes = static_cast<std::int64_t>(std::ceil(bytes / kMebibyte)) + 1;
    return {.name = kLargerCache,
            .what = "the cache has room for all samples",
            .sets = {fmt::format("data.train.map.{}.budget=\"{} MiB\"", index, mebibytes)},
            .change = ChangeClass::same_bits,
            .warm_samples = evidence.facts.epoch_samples,
            .cost = fmt::format("takes about {} MiB", mebibytes)};
}

// The input may be faster than the network, or slower; without the network it shows its own pace.
Variant input_alone_variant(const Facts& facts) {
    return {.name = kInputAlone,
            .what = "the network computes nothing: batches come as fast as they are made",
            .sets = {"what_if.skip_network=true"},
            .warm_samples = static_cast<double>(facts.prefetch) * facts.samples,
            .is_hint = true};
}

Variant cold_input_variant(const Facts& facts) {
    Variant variant = input_alone_variant(facts);
    variant.name = kColdInput;
    variant.what = "as before, and the files of the data are not in the page cache at the start";
    variant.is_cold = true;
    return variant;
}

Variant without_stage_variant(const Evidence& evidence, const InputStage& stage, std::size_t entry) {
    Array map = map_of(evidence.spec, "train");
    map.erase(map.begin() + static_cast<std::ptrdiff_t>(entry));
    return {.name = without_stage(stage),
            .what = fmt::format("the transform '{}' is left out", stage.name),
            .sets = {set_of_map("train", map)},
            .is_hint = true};
}

std::string evidence_text(const Evidence& evidence, const InputStage& slowest) {
    const Facts& facts = evidence.facts;
    std::string text = fmt::format(
        "with batches replayed from memory a sample takes {:.2f} times as long; a step waits {:.0f} % of its time for "
        "data; '{}' has {:.0f} % of the time of the threads that make samples",
        evidence.ratio_of(kReplay)->value, 100.0 * share_of(facts, input_wait(facts)), slowest.name,
        100.0 * slowest.seconds / std::max(input_seconds(facts), 1e-12));
    if (const Ratio* const alone = evidence.ratio_of(kInputAlone)) {
        text += fmt::format("; the input alone takes {:.2f} times as long as a step", alone->value);
    }
    if (const Ratio* const cold = evidence.ratio_of(kColdInput)) {
        text += fmt::format(", and {:.2f} times if its files come from the disk", cold->value);
    }
    if (const Ratio* const without = evidence.ratio_of(without_stage(slowest))) {
        text += fmt::format("; without '{}' a sample takes {:.2f} times as long", slowest.name, without->value);
    }
    return text;
}

std::string cause_of(const Evidence& evidence, const InputStage& slowest) {
    const Facts& facts = evidence.facts;
    if (is_cache_too_small(evidence)) {
        return "cache";
    }
    if (evidence.gain(kFewerWorkers) >= kWorthwhile) {
        return "too many workers";
    }
    if (!slowest.reads) {
        return "transform";
    }
    if (evidence.gain(kBlocks) >= kWorthOtherResults) {
        return "shuffled reads";
    }
    if (!waits(facts, slowest)) {
        return "source";
    }
    if (evidence.gain(kMoreWorkers) >= kWorthOtherResults) {
        return "latency";
    }
    constexpr double kDiskIsUsed = 1e6;  // bytes per second
    return facts.disk_read >= kDiskIsUsed ? "disk" : "lock";
}

std::string sentence_of(const std::string& cause, const InputStage& slowest, const Facts& facts) {
    if (cause == "cache") {
        return "the cache of the input is too small: samples that it drops are made again in every epoch";
    }
    if (cause == "too many workers") {
        return fmt::format("{} threads make samples on {} cores, and take them from the network", facts.workers,
                           facts.cores);
    }
    if (cause == "transform") {
        return fmt::format("the transform '{}' of the input computes {:.1f} ms for a sample", slowest.name,
                           1e3 * slowest.computed);
    }
    if (cause == "shuffled reads") {
        return fmt::format("the source '{}' reads its samples in random order from a disk that is faster in sequence",
                           slowest.name);
    }
    if (cause == "latency") {
        return fmt::format("the source '{}' waits {:.1f} ms a sample, and too few threads wait at once", slowest.name,
                           1e3 * blocked_seconds(facts, slowest));
    }
    if (cause == "disk") {
        return fmt::format("the source '{}' waits for the disk, which reads {:.0f} MB/s", slowest.name,
                           1e-6 * facts.disk_read);
    }
    if (cause == "lock") {
        return fmt::format(
            "the source '{}' serves one thread at a time: it waits {:.1f} ms a sample, and more threads "
            "do not help",
            slowest.name, 1e3 * blocked_seconds(facts, slowest));
    }
    return fmt::format("the source '{}' computes {:.1f} ms for a sample", slowest.name, 1e3 * slowest.computed);
}

}  // namespace

bool is_cache_too_small(const Evidence& evidence) {
    constexpr double kRead = 0.05;
    const auto& map = evidence.spec.data.train.map;
    const auto cache = std::ranges::find_if(map, config::is_cache);
    if (cache == map.end() || evidence.facts.input.empty() || evidence.facts.input.front().calls < kRead) {
        return false;
    }
    const std::optional<std::uint64_t> given = config::budget_of(*cache);
    const double room =
        given ? static_cast<double>(*given) : kShareOfMemory * static_cast<double>(evidence.facts.available);
    return bytes_after(evidence, cached_entries(evidence) - 1) * evidence.facts.epoch_samples > room;
}

void propose_input(const Evidence& evidence, Proposals& proposals) {
    const Facts& facts = evidence.facts;
    if (most_input_share(facts) < kWorthwhile) {
        proposals.skipped.push_back(
            {"input", fmt::format("a step waits {:.1f} % of its time for data, and making it takes {:.2f} cores",
                                  100.0 * share_of(facts, input_wait(facts)), facts.cores_input)});
        return;
    }
    // If the input surely costs much, what may mend it is measured at once.
    constexpr double kSurelyMuch = 0.2;
    if (!evidence.has_tried(kReplay)) {
        constexpr double kMostReplayed = 4.0;
        proposals.wanted.push_back({.name = kReplay,
                                    .what = "a few batches are replayed from memory: the input costs nothing",
                                    .sets = {fmt::format("what_if.replay_batches={:.0f}", kMostReplayed)},
                                    .warm_samples = kMostReplayed * facts.samples});
        if (most_input_share(facts) < kSurelyMuch) {
            return;
        }
    } else if (evidence.gain(kReplay) < kWorthwhile) {
        proposals.skipped.push_back({"stages of the input", "without any input, a step takes about as long"});
        return;
    }
    const InputStage* const slowest = slowest_stage(facts);
    if (is_cache_too_small(evidence)) {
        proposals.wanted.push_back(larger_cache_variant(evidence));
        return;
    }
    if (cached_entries(evidence) < facts.steady_entries + 1) {
        const bool fits = fits_in_memory(evidence);
        proposals.wanted.push_back(cache_variant(evidence, !fits));
        if (!fits) {
            proposals.skipped.push_back({kCached, "the samples of an epoch do not fit into the free memory"});
        }
    }
    if (evidence.spec.data.workers && *evidence.spec.data.workers > facts.cores) {
        proposals.wanted.push_back(workers_variant(kFewerWorkers, std::max(1, facts.cores)));
    }
    const bool is_waiting = slowest != nullptr && waits(facts, *slowest);
    if (is_waiting || (evidence.spec.data.workers && *evidence.spec.data.workers < facts.cores)) {
        constexpr std::int64_t kTimes = 4;
        constexpr std::int64_t kMost = 64;
        const std::int64_t workers =
            std::min(kMost, std::max<std::int64_t>(facts.cores, is_waiting ? kTimes * facts.workers : facts.workers));
        proposals.wanted.push_back(workers_variant(kMoreWorkers, workers));
    }
    if (is_waiting && slowest->reads && evidence.spec.data.train.order.block == 0) {
        proposals.wanted.push_back(
            {.name = kBlocks,
             .what = "blocks of 32 consecutive samples are shuffled, and the samples within two blocks",
             .sets = {"data.train.order={ use = \"blocks\", block = 32, together = 2 }"},
             .change = ChangeClass::other_results});
    }
    proposals.wanted.push_back(input_alone_variant(facts));
    if (facts.has_files && cached_entries(evidence) == 0) {
        proposals.wanted.push_back(cold_input_variant(facts));
    }
    if (slowest != nullptr) {
        if (const std::optional<std::size_t> entry = entry_of(evidence, *slowest)) {
            proposals.wanted.push_back(without_stage_variant(evidence, *slowest, *entry));
        }
    }
}

void explain_input(const Evidence& evidence, std::vector<Finding>& findings) {
    const Ratio* const replay = evidence.ratio_of(kReplay);
    const InputStage* const slowest = slowest_stage(evidence.facts);
    if (replay == nullptr || replay->gain() < kWorthwhile || slowest == nullptr) {
        return;
    }
    const Facts& facts = evidence.facts;
    const std::string cause = cause_of(evidence, *slowest);
    Finding finding{.cause = cause,
                    .subject = slowest->name,
                    .sentence = sentence_of(cause, *slowest, facts),
                    .evidence = evidence_text(evidence, *slowest),
                    .without = *replay};
    for (const char* const name : {kCached, kOnDisk, kLargerCache, kFewerWorkers, kMoreWorkers}) {
        if (auto fix = fix_of(evidence, name, kWorthwhile)) {
            finding.fixes.push_back(std::move(*fix));
        }
    }
    if (auto fix = fix_of(evidence, kBlocks, kWorthOtherResults)) {
        finding.fixes.push_back(std::move(*fix));
    }
    findings.push_back(std::move(finding));
}

}  // namespace sluice::diagnose
