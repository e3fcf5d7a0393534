#pragma once

#include <span>
#include <string>

#include "registry/loading/call_check.hpp"
#include "registry/manifest/later_options.hpp"
#include "registry/manifest/manifest.hpp"
#include "sluice/plugin.h"

namespace sluice::registry {

// A component ready to be used: its library is loaded and its table was found.
struct Component {
    const ComponentManifest* manifest = nullptr;
    const PluginManifest* plugin = nullptr;
    const sluice_component* entry = nullptr;
    const void* table = nullptr;  // functions of the interface of its kind, revision 1
    const sluice_host* host = nullptr;
    std::string label;                             // "onednn (sluice.kernel.onednn 0.1.0)" for messages
    CallCheck* check = nullptr;                    // null unless its calls are checked; `table` is then the wrapped one
    std::span<const LaterOption> later_options{};  // later options of all layer types
};

}  // namespace sluice::registry
