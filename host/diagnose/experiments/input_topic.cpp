// Measures what the input costs: by waiting for it, and by the cores, memory bandwidth and locks that it takes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text/byte_size.hpp"
#include "config/cache_entry.hpp"
#include "diagnose/experiments/kept_samples.hpp"
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

Variant cache_variant(const Evidence& evidence, std::size_t entries, bool on_disk) {
    const std::int64_t repeated = repeated_samples(evidence.facts);
    const std::string medium = on_disk ? "disk" : "memory";
    const Array map = map_of(evidence.spec, "train");
    const Array others = without_cache(map);
    const double bytes = kept_bytes(evidence, entries);
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

Variant workers_variant(const char* name, std::int64_t workers) {
    return {.name = name,
            .what = fmt::format("{} threads make samples", workers),
            .sets = {fmt::format("data.workers={}", workers)},
            .change = ChangeClass::same_bits};
}

// Nothing if the memory or the disk of the cache has no room for all samples.
std::optional<Variant> larger_cache_variant(const Evidence& evidence) {
    constexpr double kMebibyte = 1024.0 * 1024.0;
    constexpr double kOverhead = 1.2;
    constexpr double kMostOfMemory = 0.5;  // share of the free memory that a cache may take
    const std::size_t index = cached_entries(evidence) - 1;
    const double bytes = kOverhead * kept_bytes(evidence, index);
    const bool on_disk = config::is_on_disk(evidence.spec.data.train.map[index]);
    const double free = on_disk                     ? evidence.facts.disk_room
                        : evidence.spec.data.memory ? evidence.facts.cache_room
                                                    : kMostOfMemory * static_cast<double>(evidence.facts.available);
    if (bytes > free) {
        return std::nullopt;
    }
    const auto mebibytes = static_cast<std::int64_t>(std::ceil(bytes / kMebibyte)) + 1;
    return Variant{.name = kLargerCache,
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
    if (evidence.ratio_of(kMoreWorkers) == nullptr) {
        return "waits";  // more threads would tell a slow disk from a lock
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
    if (cause == "waits") {
        return fmt::format("the source '{}' waits {:.1f} ms a sample", slowest.name,
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

// A cache after the last entry whose results are always the same: in memory if there is room, else on disk.
void propose_cache(const Evidence& evidence, Proposals& proposals) {
    const std::size_t entries = evidence.facts.steady_entries;
    if (cached_entries(evidence) >= entries + 1) {
        return;
    }
    if (fit_in_memory(evidence, entries)) {
        proposals.wanted.push_back(cache_variant(evidence, entries, /*on_disk=*/false));
        return;
    }
    proposals.skipped.push_back({kCached, "the samples of an epoch do not fit into the memory that it may take"});
    if (const std::string reason = why_not_on_disk(evidence, entries); !reason.empty()) {
        proposals.skipped.push_back({kOnDisk, reason});
    } else {
        proposals.wanted.push_back(cache_variant(evidence, entries, /*on_disk=*/true));
    }
}

void propose_larger_cache(const Evidence& evidence, Proposals& proposals) {
    if (auto variant = larger_cache_variant(evidence)) {
        proposals.wanted.push_back(std::move(*variant));
        return;
    }
    proposals.skipped.push_back({kLargerCache, "there is no room for all samples"});
    const std::size_t index = cached_entries(evidence) - 1;
    if (!config::is_on_disk(evidence.spec.data.train.map[index])) {
        if (const std::string reason = why_not_on_disk(evidence, index); !reason.empty()) {
            proposals.skipped.push_back({kOnDisk, reason});
        } else {
            proposals.wanted.push_back(cache_variant(evidence, index, /*on_disk=*/true));
        }
    }
}

void propose_threads(const Evidence& evidence, Proposals& proposals) {
    const Facts& facts = evidence.facts;
    const std::optional<std::int64_t>& given = evidence.spec.data.workers;
    const InputStage* const slowest = slowest_stage(facts);
    if (given && *given > facts.cores) {
        proposals.wanted.push_back(workers_variant(kFewerWorkers, std::max(1, facts.cores)));
    }
    const bool is_waiting = slowest != nullptr && waits(facts, *slowest);
    if (is_waiting || (given && *given < facts.cores)) {
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
}

// Parts of the input whose cost is only evidence.
void propose_parts(const Evidence& evidence, Proposals& proposals) {
    const Facts& facts = evidence.facts;
    proposals.wanted.push_back(input_alone_variant(facts));
    if (facts.has_files && cached_entries(evidence) == 0) {
        proposals.wanted.push_back(cold_input_variant(facts));
    }
    if (const InputStage* const slowest = slowest_stage(facts)) {
        if (const std::optional<std::size_t> entry = entry_of(evidence, *slowest)) {
            proposals.wanted.push_back(without_stage_variant(evidence, *slowest, *entry));
        }
    }
}

}  // namespace

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
                                    .warm_samples = kMostReplayed * facts.samples,
                                    .is_hint = most_input_share(facts) >= kSurelyMuch});
        if (most_input_share(facts) < kSurelyMuch) {
            return;
        }
    } else if (!is_gain(evidence.ratio_of(kReplay), kWorthwhile)) {
        proposals.skipped.push_back({"stages of the input", "without any input, a step takes about as long"});
        return;
    }
    if (is_cache_too_small(evidence)) {
        propose_larger_cache(evidence, proposals);
        return;
    }
    propose_cache(evidence, proposals);
    propose_threads(evidence, proposals);
    propose_parts(evidence, proposals);
}

void explain_input(const Evidence& evidence, std::vector<Finding>& findings) {
    const Ratio* const replay = evidence.ratio_of(kReplay);
    const InputStage* const slowest = slowest_stage(evidence.facts);
    if (!is_gain(replay, kWorthwhile) || slowest == nullptr) {
        return;
    }
    const Facts& facts = evidence.facts;
    const std::string cause = cause_of(evidence, *slowest);
    Finding finding{.cause = cause,
                    .subject = slowest->name,
                    .sentence = sentence_of(cause, *slowest, facts),
                    .evidence = evidence_text(evidence, *slowest),
                    .without = *replay,
                    .probe = kReplay};
    for (const char* const name : {kCached, kLargerCache, kFewerWorkers, kMoreWorkers}) {
        if (auto fix = fix_of(evidence, name, kWorthwhile)) {
            finding.fixes.push_back(std::move(*fix));
        }
    }
    if (auto fix = fix_of(evidence, kOnDisk, kWorthwhile)) {
        const std::size_t entries = cause == "cache" ? cached_entries(evidence) - 1 : evidence.facts.steady_entries;
        fix->ratio = limited_by_disk(evidence, fix->ratio, entries);
        finding.fixes.push_back(std::move(*fix));
    }
    if (auto fix = fix_of(evidence, kBlocks, kWorthOtherResults)) {
        finding.fixes.push_back(std::move(*fix));
    }
    findings.push_back(std::move(finding));
}

}  // namespace sluice::diagnose
