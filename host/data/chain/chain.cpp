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
#include "data/chain/chain_state.hpp"
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

}  // namespace

Chain::Chain(const config::StreamSpec& spec, const registry::Registry& registry, std::uint64_t seed,
             std::string purpose)
    : state_(new State{.purpose = std::move(purpose), .seed = seed, .sources = Sources(spec, registry)}) {
    State& state = *state_;
    state.memory = std::make_unique<SampleMemory>(spec.sample_bytes.value_or(available_memory() / 2), state.purpose);
    Current current;
    add_slots(state.sources.fields(), state.slots, current);
    state.class_names = state.sources.class_names();
    std::optional<CacheKeyInputs> inputs;  // only if the map has a disk cache
    if (std::ranges::any_of(spec.map, [](const config::ComponentSpec& entry) {
            return config::is_cache(entry) && read_cache_options(entry).on_disk;
        })) {
        inputs.emplace(state.sources, spec);
    }
    std::vector<std::string> drawn;  // random transforms so far
    std::span<const config::ComponentSpec> later_transforms = spec.map;
    for (const config::ComponentSpec& entry : spec.map) {
        later_transforms = later_transforms.subspan(1);
        const std::uint64_t stream = random_stream(state.purpose, entry.use, later_transforms);
        if (config::is_cache(entry)) {
            state.expect_samples(entry);
            if (state.cache != nullptr) {
                throw Error(Exit::config, to_string(entry.origin) + ": " + state.purpose +
                                              ": a second 'cache'; keep one, where samples are smallest or have cost "
                                              "the most time to make");
            }
            state.cache = open_cache(entry, {inputs ? inputs->text(seed) : "", specs_of(current.fields)}, state.purpose,
                                     spec.cache_bytes);
            state.drawn_once = drawn;
            state.cached_transforms = state.transforms.size();
            state.cached_slots = current.slots;
            continue;
        }
        const registry::Component component = registry.find(registry::Kind::transform, entry.use, entry.origin);
        if (registry::works_on_batches(component)) {
            state.add_batch_entry({component, registry.options(component, entry), entry.origin, stream});
            continue;
        }
        state.expect_samples(entry);
        const registry::Drawing drawing = registry::randomness_of(*component.manifest, entry.options);
        if (drawing == registry::Drawing::always) {
            drawn.push_back(entry.use);
        }
        if (inputs && state.cache == nullptr) {
            inputs->add(component, registry.options(component, entry), drawing, stream);
        }
        state.transforms.push_back(
            {.transform = {component, registry.options(component, entry), entry.origin, current.fields},
             .random_stream = stream,
             .incoming = current.slots,
             .first_written = state.slots.size(),
             .origin = entry.origin});
        add_slots(state.transforms.back().transform.written(), state.slots, current);
        forget_renumbered(state.class_names, state.transforms.back().transform.written());
    }
    state.fields = std::move(current.fields);
    state.outgoing = std::move(current.slots);
    state.push_crops_down();
}

void Chain::State::add_batch_entry(BatchEntry entry) {
    if (purpose != kTraining) {
        throw Error(Exit::config,
                    fmt::format("{}: {}: '{}' changes whole batches at random, which is allowed only in {}; "
                                "take it out of this map",
                                to_string(entry.origin), purpose, entry.component.manifest->provides, kTraining));
    }
    batch_entries.push_back(std::move(entry));
}

// Throws if a transform of whole batches comes before this entry, which works on samples.
void Chain::State::expect_samples(const config::ComponentSpec& entry) const {
    if (!batch_entries.empty()) {
        const std::string& before = batch_entries.front().component.manifest->provides;
        throw Error(Exit::config, fmt::format("{}: {}: '{}' works on samples but comes after '{}', which works on "
                                              "whole batches; put '{}' after it",
                                              to_string(entry.origin), purpose, entry.use, before, before));
    }
}

// Looks for pairs of neighbours of which the second can be pushed below the first. The cache must not be between them.
void Chain::State::push_crops_down() {
    const auto cache_is_before = [&](std::size_t i) { return cache != nullptr && cached_transforms == i; };
    // The slots that are read after transform i.
    const auto later = [&](std::size_t i) {
        const bool is_cached = cache != nullptr && i < cached_transforms;
        std::vector<SlotNumber> read = is_cached ? cached_slots : outgoing;
        for (std::size_t j = i + 1; j < transforms.size(); ++j) {
            read.insert(read.end(), transforms[j].incoming.begin(), transforms[j].incoming.end());
        }
        return read;
    };
    if (!transforms.empty() && !cache_is_before(0)) {
        source_pushdown = find_pushdown(sources, transforms[0], later(0));
    }
    for (std::size_t i = source_pushdown ? 1 : 0; i + 1 < transforms.size(); ++i) {
        if (!cache_is_before(i + 1)) {
            transforms[i].pushdown = find_pushdown(transforms[i], transforms[i + 1], later(i + 1));
            i += transforms[i].pushdown ? 1 : 0;
        }
    }
    for (std::size_t i = 0; i < transforms.size(); ++i) {
        announce_windows(i == 0 ? source_pushdown : transforms[i - 1].pushdown, transforms[i]);
    }
}

Chain::~Chain() = default;

const std::string& Chain::purpose() const { return state_->purpose; }

std::uint64_t Chain::seed() const { return state_->seed; }

std::uint64_t Chain::length() const { return state_->sources.draws().length; }

const Draws& Chain::draws() const { return state_->sources.draws(); }

std::span<const registry::Field> Chain::fields() const { return state_->fields; }

const ClassNames& Chain::class_names() const { return state_->class_names; }

std::span<const BatchEntry> Chain::batch_entries() const { return state_->batch_entries; }

std::span<const std::string> Chain::drawn_once() const { return state_->drawn_once; }

std::vector<std::string> Chain::stages() const {
    std::vector<std::string> names{state_->sources.name()};
    std::ranges::transform(state_->transforms, std::back_inserter(names),
                           [](const TransformStage& stage) { return stage.transform.name(); });
    if (state_->cache != nullptr) {
        names.insert(names.begin() + 1 + static_cast<std::ptrdiff_t>(state_->cached_transforms), config::kCache);
    }
    std::ranges::transform(state_->batch_entries, std::back_inserter(names),
                           [](const BatchEntry& entry) { return entry.component.manifest->provides; });
    return names;
}

}  // namespace sluice::data
