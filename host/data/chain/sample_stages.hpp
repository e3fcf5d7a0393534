// The stages that make a sample, with every field resolved to a slot: a chain builds them, and its workers run them.
// Private to this folder.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "data/cache/cache.hpp"
#include "data/chain/pushdown.hpp"
#include "data/chain/sample_memory.hpp"
#include "data/chain/sample_slots.hpp"
#include "data/chain/sources.hpp"
#include "data/chain/transform_stage.hpp"
#include "registry/objects/field.hpp"

namespace sluice::data {

struct SampleStages {
    // Stages are numbered in the order of Chain::stages(): the source, then the transforms, with the cache between
    // them.
    [[nodiscard]] std::size_t count() const { return 1 + transforms.size() + (cache != nullptr ? 1 : 0); }
    [[nodiscard]] std::size_t cache_stage() const { return 1 + cached_transforms; }
    [[nodiscard]] std::size_t stage_of(std::size_t transform) const {
        return 1 + transform + (cache != nullptr && transform >= cached_transforms ? 1 : 0);
    }
    // Returns how a transform is pushed below the stage before it; null if it is not, or if there is no such transform.
    [[nodiscard]] const Pushdown* pushdown_of(std::size_t transform) const {
        return transform < pushdowns.size() && pushdowns[transform] ? &*pushdowns[transform] : nullptr;
    }

    Sources sources;
    std::vector<TransformStage> transforms{};
    std::vector<std::optional<Pushdown>> pushdowns{};  // one for each transform
    std::vector<registry::Field> slots{};              // the field of each slot; those of the sources come first
    std::vector<SlotNumber> outgoing{};                // slots of the fields of a finished sample
    std::unique_ptr<SampleMemory> memory{};

    std::unique_ptr<SampleCache> cache{};  // null: no such stage
    std::size_t cached_transforms = 0;     // number of transforms before it
    std::vector<SlotNumber> cached_slots{};
};

}  // namespace sluice::data
