// Batches on their way to a device whose work runs later: each is copied to pinned memory, from there over the bus on a
// stream of its own into device memory, while the device still computes with the batches before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "data/loader.hpp"
#include "registry/streams.hpp"

namespace sluice::run {

class BatchStage {
public:
    BatchStage(std::shared_ptr<const registry::Device> device, void* stream);

    struct Target {
        std::byte* to;  // device memory that the compute stream reads
        const data::NamedTensor* field;
    };
    // Puts the fields into their places, for what is put on the compute stream next. The batch may change afterwards.
    void send(std::span<const Target> targets);

    // How many batches are still held, the newest first; held(i) puts that one into the places again.
    [[nodiscard]] std::size_t held() const { return std::min<std::uint64_t>(sent_, kSlots); }
    void send_again(std::size_t newest) const;
    // Whether every number of a held batch is finite.
    [[nodiscard]] bool is_finite(std::size_t newest) const;
    // Tells the held batches apart: what the compute stream has been given since the first.
    [[nodiscard]] std::uint64_t sent() const { return sent_; }

    static constexpr std::size_t kSlots = 4;

private:
    struct Part {
        std::byte* to;
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
    void spread(const Slot& slot) const;
    [[nodiscard]] const Slot& slot_of(std::size_t newest) const { return slots_[(sent_ - 1 - newest) % kSlots]; }

    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    registry::Stream uploads_;
    std::vector<Slot> slots_;
    std::uint64_t sent_ = 0;
};

}  // namespace sluice::run
