// A device, its memory and its streams (kind/device.h). A call that the device fails throws Error(Exit::device) or
// OutOfMemory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "registry/objects/object.hpp"
#include "sluice/kind/device.h"
#include "sluice/kind/device_activity.h"
#include "sluice/kind/device_time.h"
#include "sluice/kind/step.h"
#include "sluice/kind/streams.h"
#include "sluice/kind/usage.h"

namespace sluice::registry {

// Bytes of device memory that blocks hold now, and their peak. Any thread may call it.
class BlockCount {
public:
    void add(std::uint64_t bytes);
    void remove(std::uint64_t bytes) { now_ -= bytes; }
    [[nodiscard]] std::uint64_t most() const { return most_; }

private:
    std::atomic<std::uint64_t> now_ = 0;
    std::atomic<std::uint64_t> most_ = 0;
};

class Device {
public:
    // Throws Error(Exit::device) with the reason if device number `index` does not exist or cannot be opened.
    Device(const Component& component, const Table& options, std::uint32_t index);
    static std::uint32_t count(const Component& component);

    [[nodiscard]] const sluice_device_info& info() const { return info_; }
    [[nodiscard]] bool is_host_memory() const { return info_.ref.type == SLUICE_DEVICE_CPU; }
    [[nodiscard]] std::string kind() const { return object_.component().manifest->provides; }
    void copy(void* to, const void* from, std::uint64_t bytes, void* stream) const;
    void zero(void* block, std::uint64_t bytes, void* stream) const;
    void wait(void* stream) const;
    [[nodiscard]] const Object<sluice_device>& object() const { return object_; }
    // Optional interfaces of the device; null if it does not serve them.
    [[nodiscard]] const sluice_step* step() const { return step_; }
    [[nodiscard]] const sluice_streams* streams() const { return streams_; }
    [[nodiscard]] const sluice_usage* usage() const { return usage_; }
    [[nodiscard]] const sluice_device_time* time() const { return time_; }
    [[nodiscard]] const sluice_device_activity* activity() const { return activity_; }
    // Counts the memory of Block objects. Memory that kernels allocate themselves in plan() is not included.
    [[nodiscard]] BlockCount& blocks() const { return blocks_; }

private:
    Object<sluice_device> object_;
    sluice_device_info info_{};
    const sluice_step* step_;
    const sluice_streams* streams_;
    const sluice_usage* usage_;
    const sluice_device_time* time_;
    const sluice_device_activity* activity_;
    mutable BlockCount blocks_;
};

// Owns one block of device memory or pinned host memory.
class Block {
public:
    enum class Where { device, pinned_host };
    Block(std::shared_ptr<const Device> device, std::uint64_t bytes, Where where = Where::device);
    ~Block();
    Block(Block&& other) noexcept;
    Block& operator=(Block&& other) noexcept;
    [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }
    [[nodiscard]] std::uint64_t size() const { return bytes_; }

private:
    std::shared_ptr<const Device> device_;
    void* data_ = nullptr;
    std::uint64_t bytes_ = 0;
    Where where_ = Where::device;
};

class Stream {
public:
    explicit Stream(std::shared_ptr<const Device> device);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    [[nodiscard]] void* handle() const { return handle_; }

private:
    std::shared_ptr<const Device> device_;
    void* handle_ = nullptr;
};

}  // namespace sluice::registry
