// Batches on their way to a device whose work runs later: each is copied to pinned memory, from there over the bus on a
// stream of its own into device memory, while the device still computes with the batches before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "data/loader/loader.hpp"
#include "registry/objects/streams.hpp"

namespace sluice::run {

class BatchStage {
public:
    // Holds the last `slots` batches.
    BatchStage(std::shared_ptr<const registry::Device> device, void* stream, std::size_t slots);

    // Takes the memory for batches whose fields are of so many bytes each, which otherwise the first of them do. Where
    // it has not got it, the batches before are held no more.
    void make_room(std::span<const std::uint64_t> field_bytes);
    // Puts these fields of a batch on their way. The batch may change afterwards. Returns its number, by which it is
    // known as long as it is held.
    std::uint64_t upload(std::span<const data::NamedTensor* const> fields);
    // Copies its fields to their places in device memory, for what is put on the compute stream next.
    void spread(std::uint64_t number, std::span<std::byte* const> places);

    [[nodiscard]] bool holds(std::uint64_t number) const {
        return number >= first_ && number < sent_ && sent_ - number <= slots_.size();
    }
    // Whether every number of a batch that is held is finite.
    [[nodiscard]] bool is_finite(std::uint64_t number) const;
    [[nodiscard]] std::size_t slots() const { return slots_.size(); }

private:
    struct Part {
        std::uint64_t offset;
        std::uint64_t bytes;
        bool is_float32;
    };
    struct Slot {
        registry::Block pinned;
        registry::Block staged;
        registry::Event uploaded;
        registry::Event consumed;
        std::vector<Part> parts;
    };

    void fit(Slot& slot, std::uint64_t bytes) const;

    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    registry::Stream uploads_;
    std::vector<Slot> slots_;
    std::uint64_t first_ = 0;  // that is held
    std::uint64_t sent_ = 0;
};

}  // namespace sluice::run
