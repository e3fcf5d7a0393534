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
    // Holds the last `slots` batches.
    BatchStage(std::shared_ptr<const registry::Device> device, void* stream, std::size_t slots);

    struct Target {
        std::byte* to;  // device memory that the compute stream reads
        const data::NamedTensor* field;
    };
    // Puts the fields into their places, for what is put on the compute stream next. The batch may change afterwards.
    void send(std::span<const Target> targets);

    // How many batches are still held. They are counted by age, the newest is 0.
    [[nodiscard]] std::size_t held() const { return std::min<std::uint64_t>(sent_, slots_.size()); }
    // Puts a held batch into its places again.
    void send_again(std::size_t age) const;
    // Whether every number of a held batch is finite.
    [[nodiscard]] bool is_finite(std::size_t age) const;

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
    [[nodiscard]] const Slot& slot_of(std::size_t age) const { return slots_[(sent_ - 1 - age) % slots_.size()]; }

    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    registry::Stream uploads_;
    std::vector<Slot> slots_;
    std::uint64_t sent_ = 0;
};

}  // namespace sluice::run
