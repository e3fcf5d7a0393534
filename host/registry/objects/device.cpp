#include "registry/objects/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "profile/recorder.hpp"
#include "registry/loading/interfaces.hpp"
#include "registry/loading/reported_values.hpp"
#include "registry/objects/device_call.hpp"

namespace sluice::registry {
namespace {

Object<sluice_device> open_device(const Component& component, const Table& options, std::uint32_t index) {
    const std::uint32_t present = Device::count(component);
    if (index >= present) {
        throw Error(Exit::device, fmt::format("{}: device number {} does not exist; there {} {}, counted from 0",
                                              name_of_device(component), index, present == 1 ? "is" : "are", present));
    }
    const OptionTree tree(options);
    void* self = nullptr;
    call_device(component, "cannot be opened", static_cast<const sluice_device*>(component.table)->create,
                component.host, tree.root(), index, &self);
    return {component, self};
}

}  // namespace

Device::Device(const Component& component, const Table& options, std::uint32_t index)
    : object_(open_device(component, options, index)),
      step_(static_cast<const sluice_step*>(optional_interface(component, SLUICE_STEP_V1))),
      streams_(static_cast<const sluice_streams*>(optional_interface(component, SLUICE_STREAMS_V1))),
      usage_(static_cast<const sluice_usage*>(optional_interface(component, SLUICE_USAGE_V1))),
      time_(static_cast<const sluice_device_time*>(optional_interface(component, SLUICE_DEVICE_TIME_V1))),
      activity_(static_cast<const sluice_device_activity*>(optional_interface(component, SLUICE_DEVICE_ACTIVITY_V1))) {
    info_.struct_size = sizeof(info_);
    call_device(component, "cannot be described", object_.table()->info, object_.self(), &info_);
    info_.name[sizeof(info_.name) - 1] = '\0';
    std::ranges::replace_if(
        info_.name, [](unsigned char c) { return (c > 0 && c < 0x20) || c >= 0x7F; }, '?');
    constexpr std::uint64_t kMostAlignment = 1 << 30;  // the largest page size
    if (!std::has_single_bit(info_.alignment) || info_.alignment > kMostAlignment) {
        misbehaves(component, fmt::format("its alignment is {}; a power of two of at most {} is needed",
                                          info_.alignment, kMostAlignment));
    }
}

std::uint32_t Device::count(const Component& component) {
    std::uint32_t count = 0;
    call_device(component, "cannot be used", static_cast<const sluice_device*>(component.table)->count, component.host,
                &count);
    return count;
}

void Device::copy(void* to, const void* from, std::uint64_t bytes, void* stream) const {
    call_device(object_.component(), "copy failed", object_.table()->copy, object_.self(), to, from, bytes, stream);
}

void Device::zero(void* block, std::uint64_t bytes, void* stream) const {
    call_device(object_.component(), "zeroing failed", object_.table()->zero, object_.self(), block, bytes, stream);
}

void Device::wait(void* stream) const {
    call_device(object_.component(), "work on a stream failed", object_.table()->stream_wait, object_.self(), stream);
}

void BlockCount::add(std::uint64_t bytes) {
    const std::uint64_t now = now_ += bytes;
    std::uint64_t most = most_;
    while (most < now && !most_.compare_exchange_weak(most, now)) {
    }
}

Block::Block(std::shared_ptr<const Device> device, std::uint64_t bytes, Where where)
    : device_(std::move(device)), bytes_(bytes), where_(where) {
    const profile::Recording allocation(SLUICE_SPAN_ALLOCATION,
                                        where_ == Where::device ? "device memory" : "pinned memory", {.bytes = bytes_});
    const Object<sluice_device>& object = device_->object();
    if (where_ == Where::device) {
        call_device(object.component(), "no memory", object.table()->alloc, object.self(), bytes_, &data_);
    } else {
        call_device(object.component(), "no pinned memory", object.table()->host_alloc, object.self(), bytes_, &data_);
    }
    if (bytes_ > 0 && data_ == nullptr) {
        misbehaves(object.component(), fmt::format("it returned NULL for a block of {} bytes", bytes_));
    }
    if (where_ == Where::device) {
        device_->blocks().add(bytes_);
    }
}

Block::~Block() {
    if (data_ != nullptr) {
        const profile::Recording release(
            SLUICE_SPAN_RELEASE, where_ == Where::device ? "device memory" : "pinned memory", {.bytes = bytes_});
        const Object<sluice_device>& object = device_->object();
        const auto free = where_ == Where::device ? object.table()->free : object.table()->host_free;
        enter(object.component(), free, object.self(), data_);
        if (where_ == Where::device) {
            device_->blocks().remove(bytes_);
        }
    }
}

Block::Block(Block&& other) noexcept
    : device_(std::move(other.device_)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      where_(other.where_) {}

Block& Block::operator=(Block&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(where_, other.where_);
    return *this;
}

Stream::Stream(std::shared_ptr<const Device> device) : device_(std::move(device)) {
    const Object<sluice_device>& object = device_->object();
    call_device(object.component(), "cannot create a stream", object.table()->stream_create, object.self(), &handle_);
}

Stream::~Stream() {
    const Object<sluice_device>& object = device_->object();
    enter(object.component(), object.table()->stream_destroy, object.self(), handle_);
}

}  // namespace sluice::registry
