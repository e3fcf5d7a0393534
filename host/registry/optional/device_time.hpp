// The clock of a device whose work runs later (kind/device_time.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "registry/objects/device.hpp"

namespace sluice::registry {

// Stamps of the device's clock, in device memory, and copies of them in pinned memory of the host: one slot for each
// step that may be in flight. A captured graph may contain marks, since their addresses stay the same.
class DeviceStamps {
public:
    // Throws Error(Exit::device) if the device has no clock.
    DeviceStamps(std::shared_ptr<const Device> device, std::size_t stamps, std::size_t slots);

    // Writes stamp `index` when the stream reaches this point.
    void mark(void* stream, std::size_t index) const;
    // Copies all stamps to the slot when the stream reaches this point. Later marks of other streams must wait for it.
    void copy(void* stream, std::size_t slot) const;
    // Returns the nanoseconds of each stamp, by the device's clock; 0: it was never marked. The stream must have passed
    // copy(). The next copy() to the slot overwrites them.
    [[nodiscard]] std::span<const std::uint64_t> read(std::size_t slot) const;
    [[nodiscard]] std::size_t size() const { return stamps_; }

private:
    std::shared_ptr<const Device> device_;
    std::size_t stamps_;
    std::size_t slots_;
    Block marked_;
    Block copied_;
};

}  // namespace sluice::registry
