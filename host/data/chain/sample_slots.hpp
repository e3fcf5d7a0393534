// The slots of the sample that a worker makes, and their memory. Private to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/tensor_view.hpp"
#include "data/chain/sample_memory.hpp"
#include "registry/objects/field.hpp"
#include "sluice/kind/window.h"

namespace sluice::data {

// A slot is one field that the source or a transform writes. Every worker has a separate buffer for each slot, because
// a transform may read a field while it writes a new one of the same name.
using SlotNumber = std::size_t;

// Buffers are kept from sample to sample, so that samples of the same shapes allocate nothing. Not thread-safe.
class SampleSlots {
public:
    // `fields`: the field of each slot. Keeps both references.
    SampleSlots(std::span<const registry::Field> fields, SampleMemory::Share& memory);

    // Sets the caller's address for the bytes of a slot; null: they go into a buffer.
    void set_place(SlotNumber slot, std::uint8_t* place) { places_[slot] = place; }
    // Returns the address to write the slot's bytes to. Throws Error(Exit::data) if the sample would need too much
    // memory, and SampleMemory::OutOfTurn.
    std::uint8_t* write(SlotNumber slot, const sluice_tensor_spec& spec);
    // Points the slot to bytes that lie elsewhere.
    void set(SlotNumber slot, const TensorView& tensor) { tensors_[slot] = tensor; }
    // Throws Error(Exit::data) if the slot's picture would be too large. Call it before anything is allocated for the
    // picture: the header of a damaged file may give any size.
    void check_extent(SlotNumber slot, const sluice_extent& extent) const;
    // Frees the buffers.
    void release();

    [[nodiscard]] const TensorView& operator[](SlotNumber slot) const { return tensors_[slot]; }
    // Bytes of these slots together.
    [[nodiscard]] std::uint64_t bytes(std::span<const SlotNumber> slots) const;
    // These slots, in this order; valid until the next call.
    [[nodiscard]] std::span<const TensorView> select(std::span<const SlotNumber> slots);
    // The same for a plugin.
    [[nodiscard]] std::span<const sluice_tensor> select_for_plugin(std::span<const SlotNumber> slots);

private:
    [[noreturn]] void throw_too_large(SlotNumber slot, const sluice_tensor_spec& spec) const;

    const std::span<const registry::Field> fields_;
    SampleMemory::Share& memory_;
    std::vector<std::vector<std::uint8_t>> buffers_;
    std::vector<std::uint8_t*> places_;
    std::vector<TensorView> tensors_;  // each points into a buffer, to a place, or elsewhere
    std::vector<TensorView> selected_;
    std::vector<sluice_tensor> selected_for_plugin_;
    std::vector<Strides> strides_;  // selected_for_plugin_ points into them
};

}  // namespace sluice::data
