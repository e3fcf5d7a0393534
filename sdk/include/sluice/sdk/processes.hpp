// A further base class of strategies whose replicas live in several processes; see kind/processes.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sluice/kind/processes.h"
#include "sluice/sdk/run.hpp"

namespace sluice::sdk {

class Processes {
public:
    virtual ~Processes() = default;
    // Number of this process, from 0.
    [[nodiscard]] virtual std::uint32_t process() const = 0;
    [[nodiscard]] virtual std::uint32_t processes() const = 0;
    // `all` receives own.size() bytes of each process.
    virtual void gather(std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                        double seconds) = 0;
};

namespace detail {

template <class T>
Processes& processes_of(void* self) {
    return *static_cast<T*>(static_cast<Strategy*>(self));
}

template <class T>
inline constexpr sluice_processes processes_table = {
    .place = [](void* self, std::uint32_t* number, std::uint32_t* count,
                sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            *number = processes_of<T>(self).process();
            *count = processes_of<T>(self).processes();
        });
    },
    .gather = [](void* self, const void* own, std::uint64_t bytes, void* all, sluice_text name, double seconds,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            Processes& processes = processes_of<T>(self);
            processes.gather({static_cast<const std::byte*>(own), bytes},
                             {static_cast<std::byte*>(all), bytes * processes.processes()}, view(name), seconds);
        });
    },
};

}  // namespace detail
}  // namespace sluice::sdk
