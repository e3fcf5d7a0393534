// Upload queue of an asynchronous device. Each batch is copied to pinned memory, then to device memory on a separate
// stream, while the device still computes the batches before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "data/loader/batch.hpp"
#include "registry/optional/streams.hpp"

namespace sluice::run {

class UploadQueue {
public:
    // Keeps the last `slots` batches.
    UploadQueue(std::shared_ptr<const registry::Device> device, void* stream, std::size_t slots);

    // Allocates memory for batches with fields of these sizes in bytes; otherwise the first upload() does. If the slots
    // have to grow, they lose their batches.
    void make_room(std::span<const std::uint64_t> field_bytes);
    // Starts the upload of a batch, which may change afterwards. Returns the batch's number, valid while holds() is
    // true.
    std::uint64_t upload(std::span<const data::NamedTensor* const> fields);
    // Copies the batch's fields to `places` in device memory, in order on the compute stream.
    void spread(std::uint64_t number, std::span<std::byte* const> places);

    [[nodiscard]] bool holds(std::uint64_t number) const {
        return number >= first_ && number < sent_ && sent_ - number <= slots_.size();
    }
    // True if every float32 value of the batch is finite. The batch must still be in its slot.
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
        registry::Block on_device;
        registry::Event uploaded;
        registry::Event consumed;
        std::vector<Part> parts;
    };

    void fit(Slot& slot, std::uint64_t bytes) const;

    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    registry::Stream uploads_;
    std::vector<Slot> slots_;
    std::uint64_t first_ = 0;  // oldest batch that may still be in its slot
    std::uint64_t sent_ = 0;
};

}  // namespace sluice::run
