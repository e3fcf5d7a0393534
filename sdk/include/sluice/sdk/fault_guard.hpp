// The host's guard for code that reads mapped files; sluice/fault_guard.h states what such code may do.
#pragma once

#include "sluice/fault_guard.h"

namespace sluice::sdk {

class FaultGuard {
public:
    explicit FaultGuard(const sluice_host* host)
        : host_(host), table_(static_cast<const sluice_fault_guard*>(host->get(host, SLUICE_FAULT_GUARD_V1))) {}

    [[nodiscard]] bool is_there() const { return table_ != nullptr; }

    // Returns false if the body hit an unreadable page and was left there. Call it only if is_there().
    template <class Body>
    [[nodiscard]] bool run(const Body& body) const {
        static_assert(noexcept(body()), "an exception cannot leave the body, nor what throws be left");
        void (*const call)(void*) noexcept = [](void* context) noexcept { (*static_cast<const Body*>(context))(); };
        return table_->run(host_, call, const_cast<Body*>(&body)) != 0;
    }

private:
    const sluice_host* host_;
    const sluice_fault_guard* table_;
};

}  // namespace sluice::sdk
