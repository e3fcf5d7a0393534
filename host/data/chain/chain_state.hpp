// The state that chain.cpp builds and chain_worker.cpp runs: the chain with every field resolved to a slot. Private to
// this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/cache/cache.hpp"
#include "data/chain/chain.hpp"
#include "data/chain/pushdown.hpp"
#include "data/chain/sample_memory.hpp"
#include "data/chain/sources.hpp"

namespace sluice::data {

// A slot is one field that the source or a transform writes. Every worker has a separate buffer for each slot, because
// a transform may read a field while it writes a new one of the same name.
using SlotNumber = std::size_t;

struct TransformStage {
    registry::Transform transform;
    std::uint64_t random_stream = 0;     // part of the key of its random draws
    std::vector<SlotNumber> incoming;    // in the order of the fields that the transform was opened with
    SlotNumber first_written = 0;        // the slots of its own fields are consecutive
    Origin origin{};                     // its place in the pipeline file
    std::optional<Pushdown> pushdown{};  // pushes the next transform below this one
};

struct Chain::State {
    void push_crops_down();
    void add_batch_entry(BatchEntry entry);
    void expect_samples(const config::ComponentSpec& entry) const;
    // Stages of samples, including the source and the cache.
    [[nodiscard]] std::size_t stage_count() const { return 1 + transforms.size() + (cache != nullptr ? 1 : 0); }

    std::string purpose;
    std::uint64_t seed = 0;
    Sources sources;
    std::optional<Pushdown> source_pushdown{};  // pushes the first transform below the sources
    std::vector<TransformStage> transforms{};
    std::vector<registry::Field> slots{};
    std::vector<registry::Field> fields{};  // of a finished sample
    std::vector<SlotNumber> outgoing{};     // slots of `fields`
    ClassNames class_names{};
    std::unique_ptr<SampleMemory> memory{};

    std::unique_ptr<SampleCache> cache{};  // null: no such stage
    std::size_t cached_transforms = 0;     // number of transforms before it
    std::vector<SlotNumber> cached_slots{};
    std::vector<std::string> drawn_once{};  // random transforms before it

    std::vector<BatchEntry> batch_entries{};
};

}  // namespace sluice::data
