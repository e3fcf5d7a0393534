#include "data/chain/chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/random.hpp"
#include "config/cache_entry.hpp"
#include "data/cache/open_cache.hpp"
#include "data/chain/cache_key.hpp"
#include "data/chain/sample_stages.hpp"
#include "registry/optional/batch_transform.hpp"

namespace sluice::data {
namespace {

constexpr std::string_view kTraining = "data.train";

// The fields that reach the next stage, and their slots.
struct Current {
    std::vector<registry::Field> fields;
    std::vector<SlotNumber> slots;

    // Replaces a field of the same name in place, or appends the field.
    void put(const registry::Field& field, SlotNumber slot) {
        const auto same = std::ranges::find(fields, field.name, &registry::Field::name);
        if (same == fields.end()) {
            fields.push_back(field);
            slots.push_back(slot);
        } else {
            *same = field;
            slots[static_cast<std::size_t>(same - fields.begin())] = slot;
        }
    }
};

// Gives each written field a new slot.
void add_slots(std::span<const registry::Field> written, std::vector<registry::Field>& slots, Current& current) {
    for (const registry::Field& field : written) {
        current.put(field, slots.size());
        slots.push_back(field);
    }
}

// A transform that writes integers to a field may have renumbered its classes, so their names are dropped. A
// floating-point field holds scores in the order of classes and keeps its names.
void forget_renumbered(ClassNames& names, std::span<const registry::Field> written) {
    for (const registry::Field& field : written) {
        const std::uint8_t code = field.spec.dtype.code;
        if (code == SLUICE_CODE_INT || code == SLUICE_CODE_UINT) {
            names.erase(field.name);
        }
    }
}

// The random stream of a transform depends on its name and on the number of transforms of that name after it. So
// a cache or prepared stages before it do not change its draws.
std::uint64_t random_stream(const std::string& purpose, const std::string& name,
                            std::span<const config::ComponentSpec> later_transforms) {
    const auto number = std::ranges::count(later_transforms, name, &config::ComponentSpec::use);
    return stable_hash(purpose + "/" + std::to_string(number) + "/" + name);
}

std::vector<sluice_tensor_spec> specs_of(std::span<const registry::Field> fields) {
    std::vector<sluice_tensor_spec> specs;
    std::ranges::transform(fields, std::back_inserter(specs), &registry::Field::spec);
    return specs;
}

// Looks for pairs of neighbours of which the second can be pushed below the first. The cache must not be between them.
void push_crops_down(SampleStages& stages) {
    const std::vector<TransformStage>& transforms = stages.transforms;
    // The slots that are read after a transform.
    const auto later = [&](std::size_t number) {
        const bool is_cached = stages.cache != nullptr && number < stages.cached_transforms;
        std::vector<SlotNumber> read = is_cached ? stages.cached_slots : stages.outgoing;
        for (std::size_t i = number + 1; i < transforms.size(); ++i) {
            read.insert(read.end(), transforms[i].incoming.begin(), transforms[i].incoming.end());
        }
        return read;
    };
    stages.pushdowns.resize(transforms.size());
    for (std::size_t i = 0; i < transforms.size(); ++i) {
        const bool is_after_cache = stages.cache != nullptr && stages.cached_transforms == i;
        const bool is_after_pushed = i > 0 && stages.pushdowns[i - 1];
        if (!is_after_cache && !is_after_pushed) {
            stages.pushdowns[i] = i == 0 ? find_pushdown(stages.sources, transforms[0], later(0))
                                         : find_pushdown(transforms[i - 1], transforms[i], later(i));
        }
    }
    for (std::size_t i = 0; i < transforms.size(); ++i) {
        announce_windows(stages.pushdowns[i], transforms[i]);
    }
}

}  // namespace

Chain::Chain(const config::StreamSpec& spec, const registry::Registry& registry, std::uint64_t seed,
             std::string purpose)
    : purpose_(std::move(purpose)), seed_(seed), stages_(new SampleStages{.sources = Sources(spec, registry)}) {
    SampleStages& made = *stages_;
    made.memory = std::make_unique<SampleMemory>(spec.sample_bytes.value_or(available_memory() / 2), purpose_);
    Current current;
    add_slots(made.sources.fields(), made.slots, current);
    class_names_ = made.sources.class_names();
    std::optional<CacheKeyInputs> inputs;  // only if the map has a disk cache
    if (std::ranges::any_of(spec.map, [](const config::ComponentSpec& entry) {
            return config::is_cache(entry) && read_cache_options(entry).on_disk;
        })) {
        inputs.emplace(made.sources, spec);
    }
    std::vector<std::string> drawn;  // random transforms so far
    std::span<const config::ComponentSpec> later_transforms = spec.map;
    for (const config::ComponentSpec& entry : spec.map) {
        later_transforms = later_transforms.subspan(1);
        const std::uint64_t stream = random_stream(purpose_, entry.use, later_transforms);
        if (config::is_cache(entry)) {
            expect_samples(entry);
            if (made.cache != nullptr) {
                throw Error(Exit::config, to_string(entry.origin) + ": " + purpose_ +
                                              ": a second 'cache'; keep one, where samples are smallest or have cost "
                                              "the most time to make");
            }
            made.cache = open_cache(entry, {inputs ? inputs->text(seed) : "", specs_of(current.fields)}, purpose_,
                                    spec.cache_bytes);
            drawn_once_ = drawn;
            made.cached_transforms = made.transforms.size();
            made.cached_slots = current.slots;
            continue;
        }
        const registry::Component component = registry.find(registry::Kind::transform, entry.use, entry.origin);
        if (registry::works_on_batches(component)) {
            add_batch_entry({component, registry.options(component, entry), entry.origin, stream});
            continue;
        }
        expect_samples(entry);
        const registry::Drawing drawing = registry::randomness_of(*component.manifest, entry.options);
        if (drawing == registry::Drawing::always) {
            drawn.push_back(entry.use);
        }
        if (inputs && made.cache == nullptr) {
            inputs->add(component, registry.options(component, entry), drawing, stream);
        }
        made.transforms.push_back(
            {.transform = {component, registry.options(component, entry), entry.origin, current.fields},
             .random_stream = stream,
             .incoming = current.slots,
             .first_written = made.slots.size(),
             .origin = entry.origin});
        add_slots(made.transforms.back().transform.written(), made.slots, current);
        forget_renumbered(class_names_, made.transforms.back().transform.written());
    }
    fields_ = std::move(current.fields);
    made.outgoing = std::move(current.slots);
    push_crops_down(made);
}

Chain::~Chain() = default;

void Chain::add_batch_entry(BatchEntry entry) {
    if (purpose_ != kTraining) {
        throw Error(Exit::config,
                    fmt::format("{}: {}: '{}' changes whole batches at random, which is allowed only in {}; "
                                "take it out of this map",
                                to_string(entry.origin), purpose_, entry.component.manifest->provides, kTraining));
    }
    batch_entries_.push_back(std::move(entry));
}

// Throws if a transform of whole batches comes before this entry, which works on samples.
void Chain::expect_samples(const config::ComponentSpec& entry) const {
    if (!batch_entries_.empty()) {
        const std::string& before = batch_entries_.front().component.manifest->provides;
        throw Error(Exit::config, fmt::format("{}: {}: '{}' works on samples but comes after '{}', which works on "
                                              "whole batches; put '{}' after it",
                                              to_string(entry.origin), purpose_, entry.use, before, before));
    }
}

std::uint64_t Chain::length() const { return draws().length; }

const Draws& Chain::draws() const { return stages_->sources.draws(); }

std::vector<std::string> Chain::stages() const {
    std::vector<std::string> names{stages_->sources.name()};
    std::ranges::transform(stages_->transforms, std::back_inserter(names),
                           [](const TransformStage& stage) { return stage.transform.name(); });
    if (stages_->cache != nullptr) {
        names.insert(names.begin() + static_cast<std::ptrdiff_t>(stages_->cache_stage()), config::kCache);
    }
    std::ranges::transform(batch_entries_, std::back_inserter(names),
                           [](const BatchEntry& entry) { return entry.component.manifest->provides; });
    return names;
}

std::uint64_t Chain::cache_bytes() const { return stages_->cache != nullptr ? stages_->cache->memory_bytes() : 0; }

bool Chain::reads(std::size_t stage) const {
    return stage == 0 || (stages_->cache != nullptr && stage == stages_->cache_stage());
}

}  // namespace sluice::data
