#include "cli/terminal/open_registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "call_checks/checks.hpp"
#include "registry/loading/search_path.hpp"

namespace sluice::cli {

registry::Registry list_plugins(const Common& common) {
    return {executable_folder() / "plugins", registry::plugin_search_path(common.plugins),
            common.plugin_checks ? &call_checks::kChecks : nullptr};
}

registry::Registry open_registry(const Common& common) {
    registry::Registry registry = list_plugins(common);
    const std::vector<std::filesystem::path> named = registry::plugin_search_path(common.plugins);
    for (const registry::PluginFile& seen : registry.seen()) {
        if (seen.manifest) {
            continue;
        }
        const std::string text = fmt::format("{}: {}", seen.file.string(), seen.refusal);
        if (std::ranges::find(named, seen.file) != named.end()) {
            throw Error(Exit::plugin, text);
        }
        log::warn("left out: " + text);
    }
    return registry;
}

}  // namespace sluice::cli
