#include "data/chain/chain_worker.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "base/allocation_failure.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "data/chain/bad_samples.hpp"
#include "data/chain/draw_counter.hpp"
#include "data/chain/sample_stages.hpp"
#include "registry/loading/log_subject.hpp"

namespace sluice::data {

// Puts the fields of one stage into their slots. The registry has checked numbers and shapes.
class Chain::Worker::Writer final : public registry::SampleWriter {
public:
    // Writes field i to slot `first` + i, or to slots[i].
    Writer(Worker& worker, SlotNumber first) : worker_(worker), first_(first) {}
    Writer(Worker& worker, std::span<const SlotNumber> slots) : worker_(worker), slots_(slots) {}

    void* allocate(std::uint32_t field, const sluice_tensor_spec& spec) override {
        return worker_.write(slots_.empty() ? first_ + field : slots_[field], spec);
    }
    void set_name(std::string_view name) override { worker_.set_name(name); }

private:
    Worker& worker_;
    SlotNumber first_ = 0;
    std::span<const SlotNumber> slots_;
};

Chain::Worker::Worker(const Chain& chain)
    : chain_(chain),
      stages_(*chain.stages_),
      memory_(*stages_.memory),
      slots_(stages_.slots, memory_),
      sources_(stages_.sources),
      times_(stages_.count()) {
    if (stages_.cache != nullptr) {
        cached_.emplace(*stages_.cache, stages_.cached_slots, slots_, memory_);
    }
    for (const TransformStage& stage : stages_.transforms) {
        contexts_.push_back(stage.transform.make_context());
    }
    for (const registry::Field& field : chain_.fields()) {
        sample_.fields.push_back({.name = field.name, .role = field.role, .tensor = {}});
    }
    const std::vector<std::string> names = chain_.stages();
    std::vector<StageTimes::Label> labels;
    for (std::size_t stage = 0; stage < stages_.count(); ++stage) {
        labels.push_back({chain_.reads(stage) ? SLUICE_SPAN_READ : SLUICE_SPAN_PREPROCESS, names[stage]});
    }
    times_.record_as(std::move(labels));
}

const Sample& Chain::Worker::make(std::uint64_t epoch, std::uint64_t index, std::span<std::uint8_t* const> places,
                                  std::uint64_t repeat) {
    const auto failure = [&](Exit exit, const std::string& reason) {
        return SampleError(exit, chain_.purpose(), index, sample_.name, reason);
    };
    const StageTimes::Leaving leaving(times_);
    const registry::LogSubject subject(sample_.name);
    end_turn();
    try {
        run_in_turn({epoch, index, repeat}, places);
    } catch (const Error& error) {
        throw failure(error.exit(), error.what());
    } catch (const std::exception& error) {  // allocating a buffer failed
        throw failure(Exit::device, fmt::format("out of memory while making it ({}){}", allocation_text(error),
                                                memory_limits_text()));
    }
    return sample_;
}

void Chain::Worker::end_turn() {
    if (memory_.has_turn() || memory_.holds_much()) {
        give_back();
    }
}

void Chain::Worker::give_back() {
    slots_.release();
    if (cached_) {
        cached_->release();
    }
    memory_.give_back();
}

void Chain::Worker::run_in_turn(const Occurrence& occurrence, std::span<std::uint8_t* const> wanted) {
    try {
        run(occurrence, wanted);
    } catch (const SampleMemory::OutOfTurn&) {
        give_back();
        memory_.wait_for_turn();
        run(occurrence, wanted);
    }
}

void Chain::Worker::run(const Occurrence& occurrence, std::span<std::uint8_t* const> wanted) {
    for (std::size_t i = 0; i < stages_.outgoing.size(); ++i) {
        slots_.set_place(stages_.outgoing[i], wanted.empty() ? nullptr : wanted[i]);
    }
    set_name({});
    memory_.begin();
    std::size_t done = stages_.cached_transforms;
    if (cached_) {
        make_cached_part(occurrence.index);
    } else {
        done = read(occurrence);
    }
    apply_all(done, stages_.transforms.size(), occurrence);
    for (std::size_t i = 0; i < stages_.outgoing.size(); ++i) {
        sample_.fields[i].tensor = slots_[stages_.outgoing[i]];
    }
}

// Brings the sample to the cache stage: finds it in the cache, or makes it and offers it to the cache.
void Chain::Worker::make_cached_part(std::uint64_t index) {
    constexpr std::uint64_t kNoEpoch = 0;  // all epochs and repeats share the cached sample
    times_.enter(stages_.cache_stage(), index);
    if (cached_->find(index)) {
        set_name(cached_->name());
        times_.wrote(slots_.bytes(stages_.cached_slots));
        return;
    }
    const std::size_t done = read({kNoEpoch, index});
    apply_all(done, stages_.cached_transforms, {kNoEpoch, index});
    times_.enter(stages_.cache_stage(), index, 0);
    times_.took(slots_.bytes(stages_.cached_slots));
    cached_->keep(index, sample_.name);
}

// Reads the sample from its source. Returns the number of transforms that were applied along with it.
std::size_t Chain::Worker::read(const Occurrence& occurrence) {
    times_.enter(0, occurrence.index);
    const Pushdown* const pair = stages_.pushdown_of(0);
    if (pair != nullptr && read_pushed(*pair, occurrence)) {
        return 1;
    }
    Writer writer(*this, SlotNumber{0});
    sources_.read(occurrence.index, chain_.seed(), writer);
    return 0;
}

// Reads the sample together with the first transform, which is pushed below the source. False, with nothing done, if
// that is not possible for this sample.
bool Chain::Worker::read_pushed(const Pushdown& pair, const Occurrence& occurrence) {
    try {
        sources_.extents(occurrence.index, chain_.seed(), pushed_.made_extents(pair));
        if (!pushed_.choose(pair, {}, key(stages_.transforms[0], occurrence))) {
            return false;
        }
    } catch (const Error&) {
        Writer whole(*this, SlotNumber{0});
        sources_.read(occurrence.index, chain_.seed(), whole);  // sets the sample's name, for the message
        throw;
    }
    Writer writer(*this, pair.outputs);
    sources_.read_windows(occurrence.index, chain_.seed(), pushed_.made(), writer);
    finish_pushed(0, pair, occurrence);
    return true;
}

void Chain::Worker::apply_all(std::size_t from, std::size_t end, const Occurrence& occurrence) {
    for (std::size_t i = from; i < end; ++i) {
        times_.enter(stages_.stage_of(i), occurrence.index);
        const Pushdown* const pair = stages_.pushdown_of(i + 1);
        if (pair != nullptr && apply_pushed(i, *pair, occurrence)) {
            ++i;
        } else {
            apply(i, occurrence);
        }
    }
}

void Chain::Worker::apply(std::size_t number, const Occurrence& occurrence) {
    const TransformStage& stage = stages_.transforms[number];
    const std::span<const sluice_tensor> incoming = slots_.select_for_plugin(stage.incoming);
    times_.took(slots_.bytes(stage.incoming));
    Writer writer(*this, stage.first_written);
    try {
        stage.transform.apply(contexts_[number], incoming, key(stage, occurrence), writer);
    } catch (const Error& error) {
        const std::string classes = class_text(stage);
        if (classes.empty()) {
            throw;
        }
        throw Error(error.exit(), error.what() + classes);
    }
}

// Applies the transform together with the next one, which is pushed below it. False, with nothing done, if that is not
// possible for this sample.
bool Chain::Worker::apply_pushed(std::size_t number, const Pushdown& pair, const Occurrence& occurrence) {
    const TransformStage& first = stages_.transforms[number];
    const TransformStage& second = stages_.transforms[number + 1];
    const std::span<const sluice_tensor> incoming = slots_.select_for_plugin(first.incoming);
    const std::span<sluice_extent> extents = pushed_.made_extents(pair);
    pair.maker->extents(contexts_[number], incoming, extents);
    for (std::size_t i = 0; i < extents.size(); ++i) {
        slots_.check_extent(first.first_written + i, extents[i]);
    }
    if (!pushed_.choose(pair, slots_.select(second.incoming), key(second, occurrence))) {
        return false;
    }
    times_.took(slots_.bytes(first.incoming));
    Writer writer(*this, pair.outputs);
    pair.maker->apply(contexts_[number], incoming, pushed_.made(), key(first, occurrence), writer);
    finish_pushed(number + 1, pair, occurrence);
    return true;
}

// Runs the rest of a pushed-down transform: its inputs already are the windows that it has chosen.
void Chain::Worker::finish_pushed(std::size_t number, const Pushdown& pair, const Occurrence& occurrence) {
    if (pair.choice.copies_windows()) {
        return;
    }
    const TransformStage& stage = stages_.transforms[number];
    Writer writer(*this, stage.first_written);
    pair.choice.apply(contexts_[number], slots_.select_for_plugin(stage.incoming), pushed_.extents(), pushed_.windows(),
                      key(stage, occurrence), writer);
}

// Returns "; field 'label' is 12 ('zebra')" for each class field that the stage gets as a source wrote it. Fields whose
// class has no name are left out.
std::string Chain::Worker::class_text(const TransformStage& stage) const {
    std::string text;
    for (const SlotNumber slot : stage.incoming) {
        const registry::Field& field = stages_.slots[slot];
        if (slot < stages_.sources.fields().size() && field.role == SLUICE_FIELD_CLASS) {
            const std::int64_t number = slots_[slot].as<std::int64_t>()[0];
            const std::span<const std::string> names = names_of(stages_.sources.class_names(), field.name);
            if (number >= 0 && std::cmp_less(number, names.size())) {
                text += fmt::format("; field '{}' is {}", field.name, named(names, number));
            }
        }
    }
    return text;
}

sluice_random_key Chain::Worker::key(const TransformStage& stage, const Occurrence& occurrence) const {
    return {chain_.seed(), stage.random_stream, draw_counter(occurrence.epoch, occurrence.index, occurrence.repeat)};
}

std::uint8_t* Chain::Worker::write(SlotNumber slot, const sluice_tensor_spec& spec) {
    std::uint8_t* const to = slots_.write(slot, spec);
    times_.wrote(byte_count(spec));
    return to;
}

void Chain::Worker::set_name(std::string_view name) {
    sample_.name = name;
    times_.set_name(name);
}

}  // namespace sluice::data
