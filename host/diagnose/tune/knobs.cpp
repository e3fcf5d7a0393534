#include "diagnose/tune/knobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "diagnose/experiments/kept_samples.hpp"
#include "diagnose/experiments/map_edits.hpp"
#include "diagnose/experiments/topic.hpp"

namespace sluice::diagnose {
namespace {

Knob workers_knob(const Facts& facts) {
    Knob knob{.name = "workers", .choices = {}};
    const std::int64_t cores = facts.cores;
    for (const std::int64_t workers : {std::int64_t{1}, cores, 2 * cores, 4 * cores, std::int64_t{16}}) {
        const std::string text = fmt::format("workers {}", workers);
        if (workers != facts.workers && std::ranges::find(knob.choices, text, &Choice::text) == knob.choices.end()) {
            knob.choices.push_back({.text = text, .sets = {fmt::format("data.workers={}", workers)}});
        }
    }
    return knob;
}

Knob prefetch_knob(const Facts& facts) {
    Knob knob{.name = "prefetch", .choices = {}};
    for (const std::int64_t batches : {2, 4, 16}) {
        if (batches != facts.prefetch) {
            knob.choices.push_back(
                {.text = fmt::format("prefetch {}", batches), .sets = {fmt::format("data.prefetch={}", batches)}});
        }
    }
    return knob;
}

// What is done once for each training sample: a cache after each of the steady entries, none, or prepared data.
Knob samples_knob(const Evidence& evidence, const std::vector<Choice>& prepared) {
    const Facts& facts = evidence.facts;
    const Array map = map_of(evidence.spec, "train");
    Knob knob{.name = "samples", .choices = prepared};
    const std::string repeat = fmt::format("what_if.repeat_samples={}", repeated_samples(facts));
    for (std::size_t entries = 0; entries <= facts.steady_entries; ++entries) {
        for (const char* const place : {"memory", "disk"}) {
            const bool has_room = place == std::string_view("memory") ? fit_in_memory(evidence, entries)
                                                                      : why_not_on_disk(evidence, entries).empty();
            if (!has_room) {
                continue;
            }
            knob.choices.push_back({.text = fmt::format("cache in {} after entry {}", place, entries),
                                    .sets = {set_of_map("train", with_cache(map, entries, place)), repeat},
                                    .warm_samples = samples_until_full(facts)});
        }
    }
    if (std::ranges::any_of(map, is_cache_entry)) {
        knob.choices.push_back({.text = "no cache", .sets = {set_of_map("train", without_cache(map))}});
    }
    return knob;
}

Knob bucket_knob() {
    Knob knob{.name = "bucket", .choices = {}};
    for (const char* const size : {"auto", "256 KiB", "1 MiB", "16 MiB"}) {
        knob.choices.push_back({.text = fmt::format("bucket {}", size),
                                .sets = {fmt::format("strategy.bucket=\"{}\"", size)},
                                .change = ChangeClass::same_mathematics});
    }
    return knob;
}

Knob knob_of(const Variant& variant) {
    return {.name = variant.name, .choices = {{.text = variant.what, .sets = variant.sets, .change = variant.change}}};
}

Knob batch_knob(const Evidence& evidence) {
    Knob knob{.name = "batch", .choices = {}};
    for (const std::int64_t factor : {2, 4, 8}) {
        const std::int64_t batch = factor * evidence.spec.data.batch;
        if (static_cast<double>(batch) <= evidence.facts.epoch_samples) {
            knob.choices.push_back({.text = fmt::format("batch {}", batch),
                                    .sets = {fmt::format("data.batch={}", batch)},
                                    .change = ChangeClass::other_results,
                                    .batch = static_cast<double>(factor)});
        }
    }
    return knob;
}

}  // namespace

std::vector<Knob> knobs_of(const Evidence& evidence, const Allowed& allowed, const std::vector<Choice>& prepared) {
    std::vector<Knob> knobs;
    if (most_input_share(evidence.facts) >= kWorthwhile) {
        knobs.push_back(workers_knob(evidence.facts));
        knobs.push_back(prefetch_knob(evidence.facts));
        knobs.push_back(samples_knob(evidence, prepared));
    }
    for (const Variant& setting : setting_variants(evidence)) {
        knobs.push_back(knob_of(setting));
    }
    if (evidence.facts.replicas > 1) {
        knobs.push_back(bucket_knob());
    }
    if (allowed.batch) {
        knobs.push_back(batch_knob(evidence));
    }
    if (allowed.precision && evidence.facts.has_fast_16_bits && evidence.spec.precision.use == "float32") {
        knobs.push_back(knob_of(precision_variant(evidence)));
    }
    std::erase_if(knobs, [](const Knob& knob) { return knob.choices.empty(); });
    return knobs;
}

}  // namespace sluice::diagnose
