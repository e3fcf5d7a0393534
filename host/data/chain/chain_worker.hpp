// Makes samples of a chain in one thread. All buffers are kept, so that samples of the same shapes allocate nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/chain/cached_part.hpp"
#include "data/chain/chain.hpp"
#include "data/chain/pushdown.hpp"
#include "data/chain/sample.hpp"
#include "data/chain/sample_memory.hpp"
#include "data/chain/sample_slots.hpp"
#include "data/chain/sources.hpp"
#include "data/chain/stage_times.hpp"
#include "data/chain/transform_stage.hpp"
#include "registry/objects/worker_context.hpp"

namespace sluice::data {

// Makes samples one after the other. Each worker thread has its own Worker.
class Chain::Worker {
public:
    explicit Worker(const Chain& chain);
    // Returns a sample that is valid until the next call, or until the Use ends.
    // `places`: for each of the chain's fields, the address that its bytes should be written to, or null. A field with
    // a dimension that differs per sample has no place. The worker may return a field elsewhere: copy it then.
    // `repeat`: the number of the sample's occurrence in the epoch. Each has its own random draws, except in stages
    // before a cache.
    // Throws Error(Exit::data): "data.train: sample 17 (photos/a b.jpg): transform 'decode': the file ends in the
    // middle (...)".
    const Sample& make(std::uint64_t epoch, std::uint64_t index, std::span<std::uint8_t* const> places = {},
                       std::uint64_t repeat = 0);
    // Marks the time in which a thread uses a sample. Its destructor releases the memory of a large sample, for which
    // other threads may be waiting. If several threads make samples of one chain, each needs a Use from before make()
    // until it is done with the sample.
    class Use {
    public:
        explicit Use(Worker& worker) : worker_(worker) {}
        ~Use() { worker_.end_turn(); }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

    private:
        Worker& worker_;
    };
    // Times by stage, in the order of Chain::stages() without the transforms of whole batches. The time of a
    // pushed-down transform counts for the stage before it.
    [[nodiscard]] const StageTimes& times() const { return times_; }

private:
    // A sample, and which of its occurrences in an epoch.
    struct Occurrence {
        std::uint64_t epoch = 0;
        std::uint64_t index = 0;
        std::uint64_t repeat = 0;
    };
    class Writer;

    void run_in_turn(const Occurrence& occurrence, std::span<std::uint8_t* const> wanted);
    void run(const Occurrence& occurrence, std::span<std::uint8_t* const> wanted);
    void make_cached_part(std::uint64_t index);
    std::size_t read(const Occurrence& occurrence);
    bool read_pushed(const Pushdown& pair, const Occurrence& occurrence);
    void apply_all(std::size_t from, std::size_t end, const Occurrence& occurrence);
    void apply(std::size_t number, const Occurrence& occurrence);
    bool apply_pushed(std::size_t number, const Pushdown& pair, const Occurrence& occurrence);
    void finish_pushed(std::size_t number, const Pushdown& pair, const Occurrence& occurrence);
    [[nodiscard]] std::string class_text(const TransformStage& stage) const;
    [[nodiscard]] sluice_random_key key(const TransformStage& stage, const Occurrence& occurrence) const;
    std::uint8_t* write(SlotNumber slot, const sluice_tensor_spec& spec);
    void set_name(std::string_view name);
    void end_turn();
    void give_back();

    const Chain& chain_;
    const SampleStages& stages_;
    SampleMemory::Share memory_;
    SampleSlots slots_;
    std::optional<CachedPart> cached_;  // std::nullopt: the chain has no cache
    Sources::Worker sources_;
    std::vector<registry::WorkerContext> contexts_;  // one for each transform
    PushedWindows pushed_;
    Sample sample_;
    StageTimes times_;
};

}  // namespace sluice::data
