#include "run/upload/upload_queue.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sluice::run {
namespace {

constexpr std::uint64_t kAlignment = 256;  // bytes, of a field in its slot

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

UploadQueue::UploadQueue(std::shared_ptr<const registry::Device> device, void* stream, std::size_t slots)
    : device_(std::move(device)), stream_(stream), uploads_(device_) {
    for (std::size_t i = 0; i < slots; ++i) {
        slots_.push_back({registry::Block(device_, 0, registry::Block::Where::pinned_host),
                          registry::Block(device_, 0),
                          registry::Event(device_),
                          registry::Event(device_),
                          {}});
    }
}

// A batch that is larger than all before gets new memory, after all copies and launches that use the old have finished.
void UploadQueue::fit(Slot& slot, std::uint64_t bytes) const {
    if (bytes > slot.pinned.size()) {
        device_->wait(uploads_.handle());
        device_->wait(stream_);
        slot.pinned = registry::Block(device_, bytes, registry::Block::Where::pinned_host);
        slot.on_device = registry::Block(device_, bytes);
    }
}

void UploadQueue::make_room(std::span<const std::uint64_t> field_bytes) {
    std::uint64_t bytes = 0;
    for (const std::uint64_t size : field_bytes) {
        bytes += aligned(size);
    }
    for (Slot& slot : slots_) {
        first_ = bytes > slot.pinned.size() ? sent_ : first_;
        fit(slot, bytes);
    }
}

std::uint64_t UploadQueue::upload(std::span<const data::NamedTensor* const> fields) {
    Slot& slot = slots_[sent_ % slots_.size()];
    slot.uploaded.wait();  // its pinned memory is free
    slot.parts.clear();
    std::uint64_t bytes = 0;
    for (const data::NamedTensor* const field : fields) {
        const std::uint64_t size = byte_count(field->tensor.spec);
        slot.parts.push_back({bytes, size, field->tensor.spec.dtype == kFloat32});
        bytes += aligned(size);
    }
    fit(slot, bytes);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        std::memcpy(slot.pinned.data() + slot.parts[i].offset, fields[i]->tensor.bytes.data(), slot.parts[i].bytes);
    }
    slot.consumed.hold(uploads_.handle());
    device_->copy(slot.on_device.data(), slot.pinned.data(), bytes, uploads_.handle());
    slot.uploaded.record(uploads_.handle());
    return sent_++;
}

void UploadQueue::spread(std::uint64_t number, std::span<std::byte* const> places) {
    Slot& slot = slots_[number % slots_.size()];
    slot.uploaded.hold(stream_);
    for (std::size_t i = 0; i < places.size(); ++i) {
        device_->copy(places[i], slot.on_device.data() + slot.parts[i].offset, slot.parts[i].bytes, stream_);
    }
    slot.consumed.record(stream_);
}

bool UploadQueue::is_finite(std::uint64_t number) const {
    const Slot& slot = slots_[number % slots_.size()];
    return std::ranges::all_of(slot.parts, [&](const Part& part) {
        const auto* const values = reinterpret_cast<const float*>(slot.pinned.data() + part.offset);
        return !part.is_float32 || std::all_of(values, values + part.bytes / sizeof(float),
                                               [](float value) { return std::isfinite(value); });
    });
}

}  // namespace sluice::run
