// What chain.cpp builds and worker.cpp runs: the chain with every field resolved to a slot. Private to this folder.
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

// A slot is one field that the source or a transform writes; each has a buffer of its own in every worker, because a
// transform reads a field while it writes another of the same name.
using SlotNumber = std::size_t;

struct TransformStage {
    registry::Transform transform;
    std::uint64_t random_stream = 0;     // who draws
    std::vector<SlotNumber> incoming;    // in the order in which the transform saw them
    SlotNumber first_written = 0;        // its own fields follow each other
    Origin origin{};                     // where the pipeline names it
    std::optional<Pushdown> pushdown{};  // of the transform behind it below this one
};

struct Chain::State {
    void push_crops_down();
    void add_batch_entry(BatchEntry entry);
    void expect_samples(const config::ComponentSpec& entry) const;
    // Of samples, with the source and the cache; numbered in their order.
    [[nodiscard]] std::size_t stage_count() const { return 1 + transforms.size() + (cache != nullptr ? 1 : 0); }

    std::string purpose;
    std::uint64_t seed = 0;
    Sources sources;
    std::optional<Pushdown> source_pushdown{};  // of the first transform below the sources
    std::vector<TransformStage> transforms{};
    std::vector<registry::Field> slots{};
    std::vector<registry::Field> fields{};  // those that come out
    std::vector<SlotNumber> outgoing{};     // their slots
    ClassNames class_names{};
    std::unique_ptr<SampleMemory> memory{};

    std::unique_ptr<SampleCache> cache{};  // nothing: no such stage
    std::size_t cached_transforms = 0;     // how many stand before it
    std::vector<SlotNumber> cached_slots{};
    std::vector<std::string> drawn_once{};  // transforms before it that draw

    std::vector<BatchEntry> batch_entries{};
};

}  // namespace sluice::data
