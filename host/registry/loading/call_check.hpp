// Interface for code that wraps every plugin call. host/call_checks implements it to find broken rules of the ABI.
#pragma once

#include <memory>

#include "registry/manifest/manifest.hpp"
#include "sluice/host.h"

namespace sluice::registry {

// Wraps the calls of one component.
class CallCheck {
public:
    CallCheck() = default;
    virtual ~CallCheck() = default;
    CallCheck(const CallCheck&) = delete;
    CallCheck& operator=(const CallCheck&) = delete;

    // Returns the table to use instead of the plugin's. The same id returns the same table each time.
    virtual const void* wrap(const char* id, const void* table) = 0;
    // The host to pass to the plugin's create().
    [[nodiscard]] virtual const sluice_host* host() const = 0;
    // Throws Error if a broken rule was noted and not reported yet.
    virtual void report() = 0;
};

struct CallChecks {
    // The check outlives the component's objects.
    std::unique_ptr<CallCheck> (*make)(const ComponentManifest& manifest, const PluginManifest& plugin,
                                       const sluice_host& host);
    // Called whenever a component is opened, because a forked process may lack what the first one has set up.
    void (*prepare_process)();
    // Returns the host's service with this id, or NULL.
    const void* (*get_service)(const sluice_host* host, const char* id) noexcept;
};

}  // namespace sluice::registry
