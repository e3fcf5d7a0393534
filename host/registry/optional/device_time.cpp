#include "registry/optional/device_time.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "registry/objects/device_call.hpp"

namespace sluice::registry {
namespace {

constexpr std::size_t kStampBytes = sizeof(std::uint64_t);

std::shared_ptr<const Device> expect_clock(std::shared_ptr<const Device> device) {
    if (device->time() == nullptr) {
        throw Error(Exit::device, fmt::format("{} has no clock", name_of_device(device->object().component())));
    }
    return device;
}

// A wrong index would let the device write to memory of others.
void expect_inside(const char* what, std::size_t index, std::size_t count) {
    if (index >= count) {
        throw std::out_of_range(
            fmt::format("{} {} of a device's clock does not exist; there are {}", what, index, count));
    }
}

}  // namespace

DeviceStamps::DeviceStamps(std::shared_ptr<const Device> device, std::size_t stamps, std::size_t slots)
    : device_(expect_clock(std::move(device))),
      stamps_(stamps),
      slots_(slots),
      marked_(device_, stamps * kStampBytes),
      copied_(device_, stamps * slots * kStampBytes, Block::Where::pinned_host) {
    const Stream stream(device_);
    if (stamps_ > 0) {
        mark(stream.handle(), 0);  // loads the device's code, which a capture may not allow
    }
    device_->zero(marked_.data(), marked_.size(), stream.handle());
    device_->wait(stream.handle());
    std::fill_n(copied_.data(), copied_.size(), std::byte{0});
}

void DeviceStamps::mark(void* stream, std::size_t index) const {
    expect_inside("stamp", index, stamps_);
    const Object<sluice_device>& object = device_->object();
    call_device(object.component(), "reading its clock failed", device_->time()->stamp, object.self(), stream,
                reinterpret_cast<std::uint64_t*>(marked_.data()) + index);
}

void DeviceStamps::copy(void* stream, std::size_t slot) const {
    expect_inside("slot", slot, slots_);
    device_->copy(copied_.data() + slot * marked_.size(), marked_.data(), marked_.size(), stream);
}

std::span<const std::uint64_t> DeviceStamps::read(std::size_t slot) const {
    expect_inside("slot", slot, slots_);
    return {reinterpret_cast<const std::uint64_t*>(copied_.data() + slot * marked_.size()), stamps_};
}

}  // namespace sluice::registry
