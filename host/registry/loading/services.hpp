// What one plugin may ask of the host: a sluice_host of its own, so that its log lines carry its id.
#pragma once

#include <string>

#include "sluice/host.h"

namespace sluice::registry {

// The service of that id, or NULL.
const void* get_service(const sluice_host* host, const char* id) noexcept;

// Must outlive the plugin's close(); it never moves, because the plugin keeps its address.
class PluginHost {
public:
    // serve: what answers the plugin's get().
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
