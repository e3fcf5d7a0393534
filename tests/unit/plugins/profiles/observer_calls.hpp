// Calls an observer as the host does, without a host.
#pragma once

#include <memory>
#include <string>

#include "sluice/sdk/run.hpp"

namespace sluice::observers::tests {

// The observer has neither services of the host nor options.
template <class T>
std::unique_ptr<sdk::Observer> open_observer() {
    static constexpr sluice_host kHost{SLUICE_ABI_MAJOR, SLUICE_ABI_MINOR, nullptr,
                                       [](const sluice_host*, const char*) noexcept -> const void* { return nullptr; }};
    return std::make_unique<T>(sdk::Host(&kHost), sdk::Options(nullptr));
}

inline void send(sdk::Observer& observer, std::uint32_t kind, const std::string& text,
                 const sluice_profile* profile = nullptr) {
    sluice_event event{};
    event.struct_size = sizeof(event);
    event.kind = kind;
    event.text = sdk::text_of(text);
    event.profile = profile;
    observer.on_event(event);
}

}  // namespace sluice::observers::tests
