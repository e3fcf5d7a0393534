// Calls of a device's interfaces. A call that the device fails throws Error(Exit::device) or OutOfMemory.
#pragma once

#include <fmt/format.h>

#include <string>

#include "registry/loading/abi_conversion.hpp"
#include "registry/loading/component.hpp"
#include "registry/loading/plugin_call.hpp"

namespace sluice::registry {

inline std::string name_of_device(const Component& component) {
    return fmt::format("device '{}'", component.manifest->provides);
}

// Behaves like call(), but throws Error(Exit::device) for every status except SLUICE_NO_MEMORY. Allocates only if it
// fails.
template <class Function, class... Args>
void call_device(const Component& component, const char* action, Function function, Args... args) {
    sluice_error error{};
    const sluice_status status = enter(component, function, args..., &error);
    if (status != SLUICE_OK) {
        try {
            throw_status(component, fmt::format("{}: {}", name_of_device(component), action), status, error);
        } catch (const OutOfMemory&) {
            throw;
        } catch (const Error& failure) {
            throw Error(Exit::device, failure.what());
        }
    }
}

}  // namespace sluice::registry
