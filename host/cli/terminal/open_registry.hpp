// Opens the plugins of the installation, of the search path and of --plugin.
#pragma once

#include "cli/terminal/options.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::cli {

// Returns the plugins of this installation and of the search path, including refused ones.
registry::Registry list_plugins(const Common& common);

// Behaves like list_plugins(), but a refused file that --plugin or SLUICE_PLUGIN_PATH names throws Error(Exit::plugin),
// and one that lies in a folder named there causes a warning.
registry::Registry open_registry(const Common& common);

}  // namespace sluice::cli
