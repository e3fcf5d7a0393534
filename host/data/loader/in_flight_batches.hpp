// The in-flight batches in order, and the memory that they take. Private to this folder.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "data/loader/batch_slot.hpp"

namespace sluice::data {

// The front batch belongs to the caller, who wants or holds it. The batches after it are prefetched and share
// `prefetch_bytes`. The size of a batch may be known only after its first sample; until then the largest size so far
// counts. A batch that turns out to be larger waits until there is room, or until it is the front batch, which always
// has room. Not thread-safe.
class InFlightBatches {
public:
    struct Room {
        std::uint64_t prefetch_bytes = 0;    // limit for prefetched batches; 0: none
        bool allows_one_prefetched = false;  // one prefetched batch is always allowed
    };

    // `batch`: samples in a whole batch.
    InFlightBatches(const std::vector<std::size_t>& fields, std::span<const registry::Field> announced,
                    std::int64_t batch, const Room& room);

    [[nodiscard]] std::size_t count() const { return in_flight_.size(); }
    [[nodiscard]] BatchSlot& front() const { return *in_flight_.front(); }
    [[nodiscard]] BatchSlot& back() const { return *in_flight_.back(); }
    [[nodiscard]] const BatchSlot& operator[](std::size_t number) const { return *in_flight_[number]; }
    // Bytes of all slots, including the free ones that are kept for later batches.
    [[nodiscard]] std::uint64_t held() const;
    // Reserves bookkeeping for `count` batches; only sample bytes are allocated later.
    void reserve(std::size_t count);
    // True if another batch may begin.
    [[nodiscard]] bool has_room() const;
    // Appends a slot, which the caller has to open() for `count` samples.
    BatchSlot& begin(std::int64_t count);
    // True if `slot`, which is still empty, may grow to `bytes`.
    [[nodiscard]] bool has_room_for(const BatchSlot& slot, std::uint64_t bytes) const;
    // Gives the slot the shapes of its first sample. False if there is no room now.
    bool shape(BatchSlot& slot, const Sample& sample);
    void drop_front();
    void clear();

private:
    [[nodiscard]] std::uint64_t prefetched_bytes_without(const BatchSlot* slot) const;
    void free_for(std::uint64_t bytes, const BatchSlot* slot);

    const std::vector<std::size_t> fields_;
    const std::span<const registry::Field> announced_;
    const std::int64_t batch_;
    const Room room_;
    std::deque<BatchSlot> slots_;        // all slots ever needed at the same time
    std::vector<BatchSlot*> free_;       // slots that are not in flight
    std::vector<BatchSlot*> in_flight_;  // the in-flight slots, in order
    std::uint64_t largest_ = 0;          // bytes of a whole batch so far
};

}  // namespace sluice::data
