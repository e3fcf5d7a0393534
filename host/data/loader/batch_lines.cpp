#include "data/loader/batch_lines.hpp"

#include <algorithm>
#include <numeric>

namespace sluice::data {

BatchLines::BatchLines(const std::vector<std::size_t>& fields, std::span<const registry::Field> announced,
                       std::int64_t batch, const Room& room)
    : fields_(fields), announced_(announced), batch_(batch), room_(room) {}

std::uint64_t BatchLines::held() const {
    return std::accumulate(slots_.begin(), slots_.end(), std::uint64_t{0},
                           [](std::uint64_t bytes, const BatchSlot& slot) { return bytes + slot.held(); });
}

void BatchLines::reserve(std::size_t count) {
    free_.reserve(count);
    lines_.reserve(count);
}

// Bytes that the prefetched batches hold, without `slot`.
std::uint64_t BatchLines::ahead_but(const BatchSlot* slot) const {
    std::uint64_t bytes = 0;
    for (std::size_t i = 1; i < lines_.size(); ++i) {
        bytes += lines_[i] != slot ? lines_[i]->held() : 0;
    }
    return bytes;
}

bool BatchLines::has_room() const {
    if (lines_.empty() || room_.ahead_bytes == 0 || (lines_.size() == 1 && room_.one_ahead)) {
        return true;
    }
    std::uint64_t bytes = largest_;
    for (std::size_t i = 1; i < lines_.size() && bytes <= room_.ahead_bytes; ++i) {
        bytes += lines_[i]->is_shaped() ? lines_[i]->held() : std::max(lines_[i]->held(), largest_);
    }
    return bytes <= room_.ahead_bytes;
}

bool BatchLines::has_room_for(const BatchSlot& slot, std::uint64_t bytes) const {
    const bool is_free = room_.ahead_bytes == 0 || &slot == lines_.front() || (&slot == lines_[1] && room_.one_ahead);
    return is_free || bytes + ahead_but(&slot) <= room_.ahead_bytes;
}

// Frees the buffers of free slots until all prefetched batches fit, if `slot` then holds `bytes`.
void BatchLines::free_for(std::uint64_t bytes, const BatchSlot* slot) {
    if (room_.ahead_bytes == 0) {
        return;
    }
    bytes += ahead_but(slot);
    for (const BatchSlot* const kept : free_) {
        bytes += kept->held();
    }
    for (auto kept = free_.begin(); kept != free_.end() && bytes > room_.ahead_bytes; ++kept) {
        bytes -= (*kept)->held();
        (*kept)->release();
    }
}

BatchSlot& BatchLines::begin(std::int64_t count) {
    if (free_.empty()) {
        free_.push_back(&slots_.emplace_back(fields_, announced_, batch_));
    }
    BatchSlot& slot = *free_.back();
    free_.pop_back();
    lines_.push_back(&slot);
    if (slot.held() > largest_) {
        slot.release();  // with several fields, it kept buffers that were never that large at the same time
    }
    free_for(lines_.size() > 1 ? slot.held_of(count) : 0, &slot);
    return slot;
}

bool BatchLines::shape(BatchSlot& slot, const Sample& sample) {
    const std::uint64_t bytes = slot.held_with(sample);
    if (!has_room_for(slot, bytes)) {
        return false;
    }
    free_for(&slot == lines_.front() ? 0 : bytes, &slot);
    slot.take_shape(sample);
    const auto count = static_cast<std::uint64_t>(slot.count());
    largest_ = std::max(largest_, slot.bytes() / count * static_cast<std::uint64_t>(batch_));
    return true;
}

void BatchLines::drop_front() {
    free_.push_back(lines_.front());
    lines_.erase(lines_.begin());
    free_for(0, nullptr);
}

void BatchLines::clear() {
    free_.insert(free_.end(), lines_.begin(), lines_.end());
    lines_.clear();
    free_for(0, nullptr);
}

}  // namespace sluice::data
