// What one plugin may ask of the host: a sluice_host of its own, so that its log lines carry its id.
#pragma once

#include <string>

#include "sluice/host.h"

namespace sluice::registry {

// Whether the calls of plugins are checked against the rules of the headers; see registry/checked.
enum class Calls { plain, checked };

// The service of that id, or NULL.
const void* get_service(const sluice_host* host, const char* id) noexcept;

// Must outlive the plugin's close(); it never moves, because the plugin keeps its address.
class PluginHost {
public:
    explicit PluginHost(std::string plugin_id, Calls calls = Calls::plain);
    PluginHost(const PluginHost&) = delete;
    PluginHost& operator=(const PluginHost&) = delete;
    [[nodiscard]] const sluice_host* abi() const { return &abi_; }
    [[nodiscard]] const std::string& plugin_id() const { return plugin_id_; }

private:
    std::string plugin_id_;
    sluice_host abi_;
};

}  // namespace sluice::registry
