// Makes samples in one thread. All buffers are kept, so that samples of the same shapes allocate nothing.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "base/allocation_failure.hpp"
#include "base/byte_size.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "data/chain/bad_samples.hpp"
#include "data/chain/chain_state.hpp"
#include "data/chain/draw_counter.hpp"
#include "registry/loading/log_subject.hpp"

namespace sluice::data {
namespace {

[[noreturn]] void throw_too_large(const std::string& field, const sluice_tensor_spec& spec,
                                  const SampleMemory::Share& memory) {
    const std::uint64_t bytes = byte_count(spec);
    throw Error(Exit::data, fmt::format("field '{}' would be {}, of {}, and making its sample would take {} in all; "
                                        "data.memory leaves {} for it",
                                        field, to_string(spec), format_size(bytes),
                                        format_size(memory.needed() + bytes), format_size(memory.most())));
}

}  // namespace

struct Chain::Worker::State {
    // Identifies a sample and its occurrence in an epoch.
    struct Which {
        std::uint64_t epoch = 0;
        std::uint64_t index = 0;
        std::uint64_t repeat = 0;
    };

    explicit State(const Chain::State& shared);

    void make(const Which& which, std::span<std::uint8_t* const> wanted);
    void run(const Which& which, std::span<std::uint8_t* const> wanted);
    void make_cached_part(std::uint64_t index);
    bool find_kept(std::uint64_t index);
    std::size_t read(const Which& which);
    bool read_pushed(const Which& which);
    void finish_pushed(std::size_t number, const Which& which);
    void apply_all(std::size_t from, std::size_t end, const Which& which);
    void apply(std::size_t number, const Which& which);
    bool apply_pushed(std::size_t number, const Which& which);
    [[nodiscard]] std::size_t stage_of(std::size_t transform) const {
        return 1 + transform + (chain.cache != nullptr && transform >= chain.cached_transforms ? 1 : 0);
    }
    void view(const TransformStage& stage);
    [[nodiscard]] std::string class_text(const TransformStage& stage) const;
    void count_taken(const std::vector<SlotNumber>& numbers);
    void pick(const std::vector<SlotNumber>& numbers);
    [[nodiscard]] sluice_random_key key(const TransformStage& stage, const Which& which) const {
        return {chain.seed, stage.random_stream, draw_counter(which.epoch, which.index, which.repeat)};
    }
    void check_size(const std::string& field, const sluice_tensor_spec& spec) const;
    void take_room(std::vector<std::uint8_t>& buffer, std::uint64_t bytes);
    void give_back();
    std::uint8_t* write(SlotNumber slot, const sluice_tensor_spec& spec);
    void set_name(std::string_view name) {
        sample.name = name;
        times.set_name(name);
    }

    const Chain::State& chain;
    Sources::Worker sources;
    std::vector<registry::WorkerContext> contexts;   // one for each transform
    std::vector<std::vector<std::uint8_t>> buffers;  // one for each slot
    std::vector<std::uint8_t*> places;               // for each slot, the caller's address for its bytes; null: none
    std::vector<TensorView> slots;                   // each points into a buffer, a place, or the cache
    std::vector<TensorView> picked;                  // a selection of them; scratch
    CachedSample kept;
    SampleMemory::Share memory;
    std::vector<Strides> strides;
    std::vector<sluice_tensor> views;
    PushedWindows pushed;
    Sample sample;
    StageTimes times;

    class Writer;
};

// Puts the fields of one stage into their slots. The registry has checked numbers and shapes.
class Chain::Worker::State::Writer final : public registry::SampleWriter {
public:
    // Writes field i to slot `first` + i, or to slots[i].
    Writer(State& state, SlotNumber first) : state_(state), first_(first) {}
    Writer(State& state, std::span<const SlotNumber> slots) : state_(state), slots_(slots) {}

    void* allocate(std::uint32_t field, const sluice_tensor_spec& spec) override {
        return state_.write(slots_.empty() ? first_ + field : slots_[field], spec);
    }
    void set_name(std::string_view name) override { state_.set_name(name); }

private:
    State& state_;
    SlotNumber first_ = 0;
    std::span<const SlotNumber> slots_;
};

Chain::Worker::State::State(const Chain::State& shared)
    : chain(shared),
      sources(shared.sources),
      buffers(shared.slots.size()),
      places(shared.slots.size()),
      slots(shared.slots.size()),
      memory(*shared.memory),
      strides(shared.slots.size()),
      times(shared.stage_count()) {
    for (const TransformStage& transform : chain.transforms) {
        contexts.push_back(transform.transform.make_context());
    }
    for (const registry::Field& field : chain.fields) {
        sample.fields.push_back({.name = field.name, .role = field.role, .tensor = {}});
    }
}

// Checks the size before anything is allocated: the header of a damaged file may give any size.
void Chain::Worker::State::check_size(const std::string& field, const sluice_tensor_spec& spec) const {
    if (byte_count(spec) > memory.most()) {
        throw_too_large(field, spec, memory);
    }
}

// Gives the buffer at least `bytes` of capacity. The old contents are lost.
void Chain::Worker::State::take_room(std::vector<std::uint8_t>& buffer, std::uint64_t bytes) {
    if (bytes > buffer.capacity()) {
        memory.grow(bytes - buffer.capacity());
        std::vector<std::uint8_t>().swap(buffer);
        buffer.resize(bytes);
    }
}

void Chain::Worker::State::give_back() {
    for (std::vector<std::uint8_t>& buffer : buffers) {
        std::vector<std::uint8_t>().swap(buffer);
    }
    std::vector<std::uint8_t>().swap(kept.bytes);
    memory.give_back();
}

// Returns the address to write the slot's bytes to.
std::uint8_t* Chain::Worker::State::write(SlotNumber slot, const sluice_tensor_spec& spec) {
    const std::uint64_t bytes = byte_count(spec);
    std::uint8_t* to = places[slot];
    if (to == nullptr) {
        if (!memory.need(bytes)) {
            throw_too_large(chain.slots[slot].name, spec, memory);
        }
        take_room(buffers[slot], bytes);
        to = buffers[slot].data();
    }
    slots[slot] = {spec, {to, bytes}};
    times.wrote(bytes);
    return to;
}

// Reads the sample from its source. Returns the number of transforms that were applied along with it.
std::size_t Chain::Worker::State::read(const Which& which) {
    times.enter(0, which.index);
    if (chain.source_pushdown && read_pushed(which)) {
        return 1;
    }
    Writer writer(*this, SlotNumber{0});
    sources.read(which.index, chain.seed, writer);
    return 0;
}

// Sets `views` to the transform's inputs.
void Chain::Worker::State::view(const TransformStage& stage) {
    views.clear();
    for (std::size_t i = 0; i < stage.incoming.size(); ++i) {
        const TensorView& tensor = slots[stage.incoming[i]];
        views.push_back(plugin_view(tensor.spec, tensor.bytes.data(), strides[i]));
    }
}

// Adds the bytes of these slots to the input of the current stage.
void Chain::Worker::State::count_taken(const std::vector<SlotNumber>& numbers) {
    for (const SlotNumber slot : numbers) {
        times.took(slots[slot].bytes.size());
    }
}

void Chain::Worker::State::pick(const std::vector<SlotNumber>& numbers) {
    picked.clear();
    for (const SlotNumber slot : numbers) {
        picked.push_back(slots[slot]);
    }
}

// Returns "; field 'label' is 12 ('zebra')" for each class field that the stage gets as a source wrote it. Fields whose
// class has no name are left out.
std::string Chain::Worker::State::class_text(const TransformStage& stage) const {
    std::string text;
    for (const SlotNumber slot : stage.incoming) {
        const registry::Field& field = chain.slots[slot];
        if (slot < chain.sources.fields().size() && field.role == SLUICE_FIELD_CLASS) {
            const std::int64_t number = slots[slot].as<std::int64_t>()[0];
            const std::span<const std::string> names = names_of(chain.sources.class_names(), field.name);
            if (number >= 0 && std::cmp_less(number, names.size())) {
                text += fmt::format("; field '{}' is {}", field.name, named(names, number));
            }
        }
    }
    return text;
}

void Chain::Worker::State::apply(std::size_t number, const Which& which) {
    const TransformStage& stage = chain.transforms[number];
    view(stage);
    count_taken(stage.incoming);
    Writer writer(*this, stage.first_written);
    try {
        stage.transform.apply(contexts[number], views, key(stage, which), writer);
    } catch (const Error& error) {
        const std::string classes = class_text(stage);
        if (classes.empty()) {
            throw;
        }
        throw Error(error.exit(), error.what() + classes);
    }
}

// Runs the rest of a pushed-down transform: its inputs already are the windows that it has chosen.
void Chain::Worker::State::finish_pushed(std::size_t number, const Which& which) {
    const TransformStage& stage = chain.transforms[number];
    const Pushdown& pair = number == 0 ? *chain.source_pushdown : *chain.transforms[number - 1].pushdown;
    if (pair.choice.copies_windows()) {
        return;
    }
    view(stage);
    Writer writer(*this, stage.first_written);
    pair.choice.apply(contexts[number], views, pushed.extents(), pushed.windows(), key(stage, which), writer);
}

// Reads the sample together with the first transform, which is pushed below the source. False, with nothing done, if
// that is not possible for this sample.
bool Chain::Worker::State::read_pushed(const Which& which) {
    const Pushdown& pair = *chain.source_pushdown;
    try {
        sources.extents(which.index, chain.seed, pushed.made_extents(pair));
        picked.assign(pair.made.size(), {});
        if (!pushed.choose(pair, picked, key(chain.transforms[0], which))) {
            return false;
        }
    } catch (const Error&) {
        Writer whole(*this, SlotNumber{0});
        sources.read(which.index, chain.seed, whole);  // sets the sample's name, for the message
        throw;
    }
    Writer writer(*this, pair.outputs);
    sources.read_windows(which.index, chain.seed, pushed.made(), writer);
    finish_pushed(0, which);
    return true;
}

// Applies the transform together with the next one, which is pushed below it. False, with nothing done, if that is not
// possible for this sample.
bool Chain::Worker::State::apply_pushed(std::size_t number, const Which& which) {
    const TransformStage& first = chain.transforms[number];
    const TransformStage& second = chain.transforms[number + 1];
    const Pushdown& pair = *first.pushdown;
    view(first);
    pick(second.incoming);
    const std::span<sluice_extent> extents = pushed.made_extents(pair);
    pair.maker->extents(contexts[number], views, extents);
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const registry::Field& field = first.transform.written()[i];
        sluice_tensor_spec whole = field.spec;
        whole.shape[0] = extents[i].height;
        whole.shape[1] = extents[i].width;
        check_size(field.name, whole);
    }
    if (!pushed.choose(pair, picked, key(second, which))) {
        return false;
    }
    count_taken(first.incoming);
    Writer writer(*this, pair.outputs);
    pair.maker->apply(contexts[number], views, pushed.made(), key(first, which), writer);
    finish_pushed(number + 1, which);
    return true;
}

void Chain::Worker::State::apply_all(std::size_t from, std::size_t end, const Which& which) {
    for (std::size_t i = from; i < end; ++i) {
        times.enter(stage_of(i), which.index);
        if (chain.transforms[i].pushdown && apply_pushed(i, which)) {
            ++i;
        } else {
            apply(i, which);
        }
    }
}

bool Chain::Worker::State::find_kept(std::uint64_t index) {
    const std::uint64_t bytes = chain.cache->bytes_to_read(index);
    if (!memory.need(bytes)) {
        throw Error(Exit::data, fmt::format("its cached copy takes {}; data.memory leaves {} for a sample",
                                            format_size(bytes), format_size(memory.most())));
    }
    take_room(kept.bytes, bytes);
    return chain.cache->find(index, kept);
}

// Brings the sample to the cache stage: finds it in the cache, or makes it and offers it to the cache.
void Chain::Worker::State::make_cached_part(std::uint64_t index) {
    constexpr std::uint64_t kNoEpoch = 0;  // all epochs and repeats share the cached sample
    const std::size_t cache_stage = 1 + chain.cached_transforms;
    times.enter(cache_stage, index);
    if (find_kept(index)) {
        set_name(kept.name);
        for (std::size_t i = 0; i < chain.cached_slots.size(); ++i) {
            slots[chain.cached_slots[i]] = kept.fields[i];
            times.wrote(kept.fields[i].bytes.size());
        }
        return;
    }
    if (memory.has_turn()) {
        std::vector<std::uint8_t>().swap(kept.bytes);  // the damaged record that it holds is of no use
    }
    memory.begin();
    const std::size_t done = read({kNoEpoch, index});
    apply_all(done, chain.cached_transforms, {kNoEpoch, index});
    times.enter(cache_stage, index, 0);
    count_taken(chain.cached_slots);
    pick(chain.cached_slots);
    chain.cache->keep(index, sample.name, picked);
}

void Chain::Worker::State::run(const Which& which, std::span<std::uint8_t* const> wanted) {
    for (std::size_t i = 0; i < chain.outgoing.size(); ++i) {
        places[chain.outgoing[i]] = wanted.empty() ? nullptr : wanted[i];
    }
    set_name({});
    memory.begin();
    std::size_t done = chain.cached_transforms;
    if (chain.cache != nullptr) {
        make_cached_part(which.index);
    } else {
        done = read(which);
    }
    apply_all(done, chain.transforms.size(), which);
    for (std::size_t i = 0; i < chain.outgoing.size(); ++i) {
        sample.fields[i].tensor = slots[chain.outgoing[i]];
    }
}

void Chain::Worker::State::make(const Which& which, std::span<std::uint8_t* const> wanted) {
    try {
        run(which, wanted);
    } catch (const SampleMemory::OutOfTurn&) {
        give_back();
        memory.wait_for_turn();
        run(which, wanted);
    }
}

void Chain::Worker::end_turn() {
    if (state_->memory.has_turn() || state_->memory.holds_much()) {
        state_->give_back();
    }
}

Chain::Worker::Worker(const Chain& chain) : state_(std::make_unique<State>(*chain.state_)) {}

Chain::Worker::~Worker() = default;

const Sample& Chain::Worker::make(std::uint64_t epoch, std::uint64_t index, std::span<std::uint8_t* const> places,
                                  std::uint64_t repeat) {
    const auto failure = [&](Exit exit, const std::string& reason) {
        return SampleError(exit, state_->chain.purpose, index, state_->sample.name, reason);
    };
    const StageTimes::Leaving leaving(state_->times);
    const registry::LogSubject subject(state_->sample.name);
    end_turn();
    try {
        state_->make({epoch, index, repeat}, places);
    } catch (const Error& error) {
        throw failure(error.exit(), error.what());
    } catch (const std::exception& error) {  // allocating a buffer failed
        throw failure(Exit::device, fmt::format("out of memory while making it ({}){}", allocation_text(error),
                                                memory_limits_text()));
    }
    return state_->sample;
}

const StageTimes& Chain::Worker::times() const { return state_->times; }

}  // namespace sluice::data
