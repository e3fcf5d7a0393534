// The one place at which another room may come between the host and its plugins. `checked` does, to find broken rules.
#pragma once

#include <memory>

#include "registry/manifest/manifest.hpp"
#include "sluice/host.h"

namespace sluice::registry {

// Of one component.
class CallCheck {
public:
    CallCheck() = default;
    virtual ~CallCheck() = default;
    CallCheck(const CallCheck&) = delete;
    CallCheck& operator=(const CallCheck&) = delete;

    // The table to be used in place of the plugin's; the same each time.
    virtual const void* wrap(const char* id, const void* table) = 0;
    // What the plugin's create() is given.
    [[nodiscard]] virtual const sluice_host* host() const = 0;
    // Throws Error if a broken rule was noted that nobody has reported yet.
    virtual void report() = 0;
};

struct CallChecks {
    // The check outlives the component's objects.
    std::unique_ptr<CallCheck> (*make)(const ComponentManifest& manifest, const PluginManifest& plugin,
                                       const sluice_host& host);
    // Called whenever a component is opened: a process of its own may lack what the first one has set up.
    void (*prepare_process)();
    // The host's service of that id, or NULL.
    const void* (*get_service)(const sluice_host* host, const char* id) noexcept;
};

}  // namespace sluice::registry
