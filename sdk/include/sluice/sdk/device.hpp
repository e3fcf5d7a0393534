// Base class of devices. A subclass has `static std::uint32_t count(Host)`, which throws Failure(SLUICE_UNSUPPORTED)
// with the reason where there is none, and is built from (Host, Options, index).
#pragma once

#include <cstdint>

#include "sluice/kind/device.h"
#include "sluice/sdk/host.hpp"
#include "sluice/sdk/options.hpp"

namespace sluice::sdk {

class Device {
public:
    virtual ~Device() = default;
    // struct_size is filled in by the caller.
    [[nodiscard]] virtual sluice_device_info info() const = 0;
    [[nodiscard]] virtual void* alloc(std::uint64_t bytes) = 0;
    virtual void free(void* block) noexcept = 0;
    [[nodiscard]] virtual void* host_alloc(std::uint64_t bytes) = 0;
    virtual void host_free(void* block) noexcept = 0;
    [[nodiscard]] virtual void* stream_create() = 0;
    virtual void stream_destroy(void* stream) noexcept = 0;
    virtual void stream_wait(void* stream) = 0;
    virtual void copy(void* to, const void* from, std::uint64_t bytes, void* stream) = 0;
    virtual void zero(void* block, std::uint64_t bytes, void* stream) = 0;
};

template <class T>
inline constexpr sluice_device device_table = {
    .count = [](const sluice_host* host, std::uint32_t* count, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *count = T::count(Host(host)); });
    },
    .create = [](const sluice_host* host, const sluice_value* options, std::uint32_t index, void** self,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *self = static_cast<Device*>(new T(Host(host), Options(options), index)); });
    },
    .destroy = [](void* self) noexcept { delete static_cast<Device*>(self); },
    .info = [](void* self, sluice_device_info* info, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { fill(info, static_cast<Device*>(self)->info()); });
    },
    .alloc = [](void* self, std::uint64_t bytes, void** block, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *block = static_cast<Device*>(self)->alloc(bytes); });
    },
    .free = [](void* self, void* block) noexcept { static_cast<Device*>(self)->free(block); },
    .host_alloc = [](void* self, std::uint64_t bytes, void** block, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *block = static_cast<Device*>(self)->host_alloc(bytes); });
    },
    .host_free = [](void* self, void* block) noexcept { static_cast<Device*>(self)->host_free(block); },
    .stream_create = [](void* self, void** stream, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *stream = static_cast<Device*>(self)->stream_create(); });
    },
    .stream_destroy = [](void* self, void* stream) noexcept { static_cast<Device*>(self)->stream_destroy(stream); },
    .stream_wait = [](void* self, void* stream, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { static_cast<Device*>(self)->stream_wait(stream); });
    },
    .copy = [](void* self, void* to, const void* from, std::uint64_t bytes, void* stream, sluice_error* error) noexcept
    -> sluice_status { return guard(error, [&] { static_cast<Device*>(self)->copy(to, from, bytes, stream); }); },
    .zero = [](void* self, void* block, std::uint64_t bytes, void* stream, sluice_error* error) noexcept
    -> sluice_status { return guard(error, [&] { static_cast<Device*>(self)->zero(block, bytes, stream); }); },
};

}  // namespace sluice::sdk
