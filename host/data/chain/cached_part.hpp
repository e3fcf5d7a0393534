// The part of a sample that its chain's cache keeps. Private to this folder.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "data/cache/cache.hpp"
#include "data/chain/sample_memory.hpp"
#include "data/chain/sample_slots.hpp"

namespace sluice::data {

// Keeps its copy of a cached sample from sample to sample. Not thread-safe.
class CachedPart {
public:
    // `kept`: the slots that the cache keeps. Keeps all references.
    CachedPart(SampleCache& cache, std::span<const SlotNumber> kept, SampleSlots& slots, SampleMemory::Share& memory)
        : cache_(cache), kept_(kept), slots_(slots), memory_(memory) {}

    // Sets the slots from the cache. False if it does not have the sample; the sample then needs no memory so far.
    // Throws Error(Exit::data) if the cached copy is too large, and SampleMemory::OutOfTurn.
    bool find(std::uint64_t index);
    // The name of the sample that was found.
    [[nodiscard]] const std::string& name() const { return copy_.name; }
    // Offers the slots to the cache.
    void keep(std::uint64_t index, const std::string& name) { cache_.keep(index, name, slots_.select(kept_)); }
    // Frees the copy.
    void release();

private:
    SampleCache& cache_;
    const std::span<const SlotNumber> kept_;
    SampleSlots& slots_;
    SampleMemory::Share& memory_;
    CachedSample copy_;
};

}  // namespace sluice::data
