// One thread's way through a chain. All buffers are kept, so that samples of the same shapes allocate nothing.
#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "base/error.hpp"
#include "data/chain_state.hpp"

namespace sluice::data {
namespace {

// One epoch's share of a random key's counter; more samples than that do not exist.
constexpr std::uint64_t kEpochStride = std::uint64_t{1} << 40;

// Puts the fields of one stage into its slots. The registry has checked numbers and shapes.
class SlotWriter final : public registry::SampleWriter {
public:
    SlotWriter(HostTensor* slots, std::string& name) : slots_(slots), name_(name) {}

    void* allocate(std::uint32_t field, const sluice_tensor_spec& spec) override {
        HostTensor& slot = slots_[field];
        slot.spec = spec;
        slot.bytes.resize(byte_count(spec));
        return slot.bytes.data();
    }
    void set_name(std::string_view name) override { name_ = name; }

private:
    HostTensor* slots_;  // the stage's first
    std::string& name_;
};

// The same under other numbers.
class RenumberingWriter final : public registry::SampleWriter {
public:
    RenumberingWriter(HostTensor* slots, std::span<const std::size_t> numbers, std::string& name)
        : writer_(slots, name), numbers_(numbers) {}

    void* allocate(std::uint32_t field, const sluice_tensor_spec& spec) override {
        return writer_.allocate(static_cast<std::uint32_t>(numbers_[field]), spec);
    }
    void set_name(std::string_view name) override { writer_.set_name(name); }

private:
    SlotWriter writer_;
    std::span<const std::size_t> numbers_;
};

}  // namespace

struct Chain::Worker::State {
    explicit State(const Chain::State& shared);

    void run(std::uint64_t epoch, std::uint64_t index);
    void make_cached_part(std::uint64_t epoch, std::uint64_t index);
    void read(std::uint64_t index);
    void apply_all(std::size_t from, std::size_t end, std::uint64_t epoch, std::uint64_t index);
    void apply(std::size_t number, std::uint64_t epoch, std::uint64_t index);
    bool apply_pushed(std::size_t number, std::uint64_t epoch, std::uint64_t index);
    void view(const TransformStage& stage);
    [[nodiscard]] sluice_random_key key(const TransformStage& stage, std::uint64_t epoch, std::uint64_t index) const {
        return {chain.seed, stage.random_stream, epoch * kEpochStride + index};
    }
    void exchange_outgoing();

    const Chain::State& chain;
    registry::WorkerContext source_context;
    std::vector<registry::WorkerContext> contexts;  // one for each transform
    std::vector<HostTensor> own;                    // one for each slot
    std::vector<const HostTensor*> slots;           // own, or a tensor of the cache
    std::vector<const HostTensor*> to_keep;
    std::vector<std::array<std::int64_t, SLUICE_MAX_RANK>> strides;
    std::vector<sluice_tensor> views;
    std::vector<const HostTensor*> incoming;  // of a transform that is pushed down
    PushedWindows pushed;
    Sample sample;
};

Chain::Worker::State::State(const Chain::State& shared)
    : chain(shared),
      source_context(shared.source.make_context()),
      own(shared.slots.size()),
      slots(shared.slots.size()),
      strides(shared.slots.size()) {
    for (const TransformStage& transform : chain.transforms) {
        contexts.push_back(transform.transform.make_context());
    }
    for (const registry::Field& field : chain.fields) {
        sample.fields.push_back({.name = field.name, .role = field.role, .tensor = {}});
    }
}

void Chain::Worker::State::read(std::uint64_t index) {
    SlotWriter writer(own.data(), sample.name);
    chain.source.read(source_context, index, chain.seed, writer);
}

// What a transform is given of the sample as it stands.
void Chain::Worker::State::view(const TransformStage& stage) {
    views.clear();
    for (std::size_t i = 0; i < stage.incoming.size(); ++i) {
        const HostTensor& tensor = *slots[stage.incoming[i]];
        std::int64_t stride = 1;
        for (auto axis = static_cast<std::size_t>(tensor.spec.rank); axis-- > 0;) {
            strides[i][axis] = stride;
            stride *= tensor.spec.shape[axis];
        }
        views.push_back({.data = const_cast<std::uint8_t*>(tensor.bytes.data()),
                         .device = {SLUICE_DEVICE_CPU, 0},
                         .rank = tensor.spec.rank,
                         .dtype = tensor.spec.dtype,
                         .shape = tensor.spec.shape,
                         .strides = strides[i].data(),
                         .byte_offset = 0});
    }
}

void Chain::Worker::State::apply(std::size_t number, std::uint64_t epoch, std::uint64_t index) {
    const TransformStage& stage = chain.transforms[number];
    view(stage);
    SlotWriter writer(&own[stage.first_written], sample.name);
    stage.transform.apply(contexts[number], views, key(stage, epoch, index), writer);
}

// The transform and the one behind it, which is pushed below it; false where it cannot be, and nothing was done.
bool Chain::Worker::State::apply_pushed(std::size_t number, std::uint64_t epoch, std::uint64_t index) {
    const TransformStage& first = chain.transforms[number];
    const TransformStage& second = chain.transforms[number + 1];
    const Pushdown& pair = *first.pushdown;
    view(first);
    incoming.clear();
    for (const SlotNumber slot : second.incoming) {
        incoming.push_back(slots[slot]);
    }
    if (!pushed.choose(pair, contexts[number], views, incoming, key(second, epoch, index))) {
        return false;
    }
    if (pair.choice.is_as_it_is()) {
        RenumberingWriter writer(&own[second.first_written], pair.outputs, sample.name);
        pair.maker.apply(contexts[number], views, pushed.made(), key(first, epoch, index), writer);
        return true;
    }
    SlotWriter made(&own[first.first_written], sample.name);
    pair.maker.apply(contexts[number], views, pushed.made(), key(first, epoch, index), made);
    view(second);
    SlotWriter writer(&own[second.first_written], sample.name);
    pair.choice.apply(contexts[number + 1], views, pushed.extents(), pushed.windows(), key(second, epoch, index),
                      writer);
    return true;
}

void Chain::Worker::State::apply_all(std::size_t from, std::size_t end, std::uint64_t epoch, std::uint64_t index) {
    for (std::size_t i = from; i < end; ++i) {
        if (chain.transforms[i].pushdown && apply_pushed(i, epoch, index)) {
            ++i;
        } else {
            apply(i, epoch, index);
        }
    }
}

// Leaves the sample as it stands at the cache: found there, or made and offered to it.
void Chain::Worker::State::make_cached_part(std::uint64_t epoch, std::uint64_t index) {
    if (chain.cache == nullptr) {
        read(index);
        return;
    }
    if (const CachedSample* kept = chain.cache->find(index)) {
        sample.name = kept->name;
        for (std::size_t i = 0; i < chain.cached_slots.size(); ++i) {
            slots[chain.cached_slots[i]] = &kept->fields[i];
        }
        return;
    }
    read(index);
    apply_all(0, chain.cached_transforms, epoch, index);
    to_keep.clear();
    for (const SlotNumber slot : chain.cached_slots) {
        to_keep.push_back(slots[slot]);
    }
    chain.cache->keep(index, sample.name, to_keep);
}

// Gives the outgoing fields' buffers to the sample, or takes them back.
void Chain::Worker::State::exchange_outgoing() {
    for (std::size_t i = 0; i < chain.outgoing.size(); ++i) {
        std::swap(sample.fields[i].tensor, own[chain.outgoing[i]]);
    }
}

void Chain::Worker::State::run(std::uint64_t epoch, std::uint64_t index) {
    exchange_outgoing();
    sample.name.clear();
    std::ranges::transform(own, slots.begin(), [](const HostTensor& tensor) { return &tensor; });
    make_cached_part(0, index);
    apply_all(chain.cached_transforms, chain.transforms.size(), epoch, index);
    for (const SlotNumber slot : chain.outgoing) {
        if (slots[slot] != &own[slot]) {
            own[slot] = *slots[slot];  // straight from the cache
        }
    }
    exchange_outgoing();
}

Chain::Worker::Worker(const Chain& chain) : state_(std::make_unique<State>(*chain.state_)) {}

Chain::Worker::~Worker() = default;

const Sample& Chain::Worker::make(std::uint64_t epoch, std::uint64_t index) {
    const auto where = [&] {
        const std::string& name = state_->sample.name;
        return state_->chain.purpose + ": sample " + std::to_string(index) + (name.empty() ? "" : " (" + name + ")") +
               ": ";
    };
    try {
        state_->run(epoch, index);
    } catch (const Error& error) {
        throw Error(error.exit(), where() + error.what());
    } catch (const std::exception& error) {  // of the buffers
        throw Error(Exit::device, where() + "no memory for it (" + error.what() + ")");
    }
    return state_->sample;
}

}  // namespace sluice::data
