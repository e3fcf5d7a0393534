// The batches of a ring that are open, in order, and the memory that they take. Private to this folder.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "data/loader/batch_slot.hpp"

namespace sluice::data {

// The first is that which the caller wants or holds; those behind it are made ahead and share `ahead_bytes`. How much a
// batch takes may be known only when its first sample is there: until then it counts as much as the largest so far. One
// that turns out to be larger has to wait until there is room for it, or until it is the first, which always has room.
// Not thread-safe.
class BatchLines {
public:
    struct Room {
        std::uint64_t ahead_bytes = 0;  // 0: any number
        bool one_ahead = false;         // at least, whatever it takes
    };

    // `batch`: samples in a whole one.
    BatchLines(const std::vector<std::size_t>& fields, std::span<const registry::Field> announced, std::int64_t batch,
               const Room& room);

    [[nodiscard]] std::size_t count() const { return lines_.size(); }
    [[nodiscard]] BatchSlot& front() const { return *lines_.front(); }
    [[nodiscard]] BatchSlot& back() const { return *lines_.back(); }
    [[nodiscard]] const BatchSlot& operator[](std::size_t number) const { return *lines_[number]; }
    // Bytes of all of them, and of those that are kept for later ones.
    [[nodiscard]] std::uint64_t held() const;
    // So that so many allocate nothing but their bytes.
    void reserve(std::size_t count);
    // Whether one more may be begun.
    [[nodiscard]] bool has_room() const;
    // One more, which is to be open()ed for so many samples.
    BatchSlot& begin(std::int64_t count);
    // Whether that one, of which no sample is there yet, may take so many bytes.
    [[nodiscard]] bool has_room_for(const BatchSlot& slot, std::uint64_t bytes) const;
    // Gives it the shapes of its first sample. False: there is no room for that now.
    bool shape(BatchSlot& slot, const Sample& sample);
    void drop_front();
    void clear();

private:
    [[nodiscard]] std::uint64_t ahead_but(const BatchSlot* slot) const;
    void free_for(std::uint64_t bytes, const BatchSlot* slot);

    const std::vector<std::size_t> fields_;
    const std::span<const registry::Field> announced_;
    const std::int64_t batch_;
    const Room room_;
    std::deque<BatchSlot> slots_;    // as many as there ever were at once
    std::vector<BatchSlot*> free_;   // those of them that are not open
    std::vector<BatchSlot*> lines_;  // the others, in order
    std::uint64_t largest_ = 0;      // bytes of a whole batch so far
};

}  // namespace sluice::data
