// The services that the host offers to a plugin. Each plugin gets its own sluice_host, so that its log lines carry its
// id.
#pragma once

#include <string>

#include "sluice/host.h"

namespace sluice::registry {

// Returns the service with this id, or NULL.
const void* get_service(const sluice_host* host, const char* id) noexcept;

// Must outlive the plugin's close(). It cannot be moved, because the plugin keeps its address.
class PluginHost {
public:
    // serve: implements the get() function that the plugin calls.
    explicit PluginHost(std::string plugin_id,
                        const void* (*serve)(const sluice_host*, const char*) noexcept = get_service);
    PluginHost(const PluginHost&) = delete;
    PluginHost& operator=(const PluginHost&) = delete;
    [[nodiscard]] const sluice_host* abi() const { return &abi_; }
    [[nodiscard]] const std::string& plugin_id() const { return plugin_id_; }

private:
    std::string plugin_id_;
    sluice_host abi_;
};

}  // namespace sluice::registry
