#include "data/loader/in_flight_batches.hpp"

#include <algorithm>
#include <numeric>

namespace sluice::data {

InFlightBatches::InFlightBatches(const std::vector<std::size_t>& fields, std::span<const registry::Field> announced,
                                 std::int64_t batch, const Room& room)
    : fields_(fields), announced_(announced), batch_(batch), room_(room) {}

std::uint64_t InFlightBatches::held() const {
    return std::accumulate(slots_.begin(), slots_.end(), std::uint64_t{0},
                           [](std::uint64_t bytes, const BatchSlot& slot) { return bytes + slot.held(); });
}

void InFlightBatches::reserve(std::size_t count) {
    free_.reserve(count);
    in_flight_.reserve(count);
}

// Bytes that the prefetched batches hold, without `slot`.
std::uint64_t InFlightBatches::prefetched_bytes_without(const BatchSlot* slot) const {
    std::uint64_t bytes = 0;
    for (std::size_t i = 1; i < in_flight_.size(); ++i) {
        bytes += in_flight_[i] != slot ? in_flight_[i]->held() : 0;
    }
    return bytes;
}

bool InFlightBatches::has_room() const {
    if (in_flight_.empty() || room_.prefetch_bytes == 0 || (in_flight_.size() == 1 && room_.allows_one_prefetched)) {
        return true;
    }
    std::uint64_t bytes = largest_;
    for (std::size_t i = 1; i < in_flight_.size() && bytes <= room_.prefetch_bytes; ++i) {
        bytes += in_flight_[i]->is_shaped() ? in_flight_[i]->held() : std::max(in_flight_[i]->held(), largest_);
    }
    return bytes <= room_.prefetch_bytes;
}

bool InFlightBatches::has_room_for(const BatchSlot& slot, std::uint64_t bytes) const {
    const bool is_free = room_.prefetch_bytes == 0 || &slot == in_flight_.front() ||
                         (&slot == in_flight_[1] && room_.allows_one_prefetched);
    return is_free || bytes + prefetched_bytes_without(&slot) <= room_.prefetch_bytes;
}

// Frees the buffers of free slots until all prefetched batches fit, if `slot` then holds `bytes`.
void InFlightBatches::free_for(std::uint64_t bytes, const BatchSlot* slot) {
    if (room_.prefetch_bytes == 0) {
        return;
    }
    bytes += prefetched_bytes_without(slot);
    for (const BatchSlot* const kept : free_) {
        bytes += kept->held();
    }
    for (auto kept = free_.begin(); kept != free_.end() && bytes > room_.prefetch_bytes; ++kept) {
        bytes -= (*kept)->held();
        (*kept)->release();
    }
}

BatchSlot& InFlightBatches::begin(std::int64_t count) {
    if (free_.empty()) {
        free_.push_back(&slots_.emplace_back(fields_, announced_, batch_));
    }
    BatchSlot& slot = *free_.back();
    free_.pop_back();
    in_flight_.push_back(&slot);
    if (slot.held() > largest_) {
        slot.release();  // with several fields, it kept buffers that were never that large at the same time
    }
    free_for(in_flight_.size() > 1 ? slot.held_after_open(count) : 0, &slot);
    return slot;
}

bool InFlightBatches::shape(BatchSlot& slot, const Sample& sample) {
    const std::uint64_t bytes = slot.held_after_shape(sample);
    if (!has_room_for(slot, bytes)) {
        return false;
    }
    free_for(&slot == in_flight_.front() ? 0 : bytes, &slot);
    slot.take_shape(sample);
    const auto count = static_cast<std::uint64_t>(slot.count());
    largest_ = std::max(largest_, slot.bytes() / count * static_cast<std::uint64_t>(batch_));
    return true;
}

void InFlightBatches::drop_front() {
    free_.push_back(in_flight_.front());
    in_flight_.erase(in_flight_.begin());
    free_for(0, nullptr);
}

void InFlightBatches::clear() {
    free_.insert(free_.end(), in_flight_.begin(), in_flight_.end());
    in_flight_.clear();
    free_for(0, nullptr);
}

}  // namespace sluice::data
