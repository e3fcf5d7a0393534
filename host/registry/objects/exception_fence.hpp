// Shared by all sinks of the host. A plugin calls their callbacks, so no exception may leave them. The first exception
// is stored and thrown again after the plugin's call, because it is more exact than the status that the plugin returns.
#pragma once

#include <exception>
#include <string>

#include "registry/loading/abi_conversion.hpp"
#include "registry/loading/component.hpp"
#include "registry/loading/plugin_call.hpp"

namespace sluice::registry {

class ExceptionFence {
public:
    template <class Body>
    void run(Body&& body) noexcept {
        try {
            body();
        } catch (...) {
            if (first_ == nullptr) {
                first_ = std::current_exception();
            }
        }
    }
    void rethrow() const {
        if (first_ != nullptr) {
            std::rethrow_exception(first_);
        }
    }

private:
    std::exception_ptr first_;
};

// Behaves like call(), but for a function that gets a sink whose callbacks run in `fence`.
template <class Function, class... Args>
void call_fenced(const ExceptionFence& fence, const Component& component, const std::string& what, Function function,
                 Args... args) {
    sluice_error error{};
    const sluice_status status = enter(component, function, args..., &error);
    fence.rethrow();
    if (status != SLUICE_OK) {
        throw_status(component, what, status, error);
    }
}

}  // namespace sluice::registry
