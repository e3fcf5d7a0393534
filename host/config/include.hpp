// Reads a TOML file and what it includes into one table. Every value keeps the place where it was last written.
#pragma once

#include <filesystem>

#include "base/value.hpp"

namespace sluice::config {

// `include = "base.toml"`, or an array of files, names what a file inherits, relative to its own folder; a later file
// of the array goes over an earlier one, and the file itself over all. A name that is not there is that of an installed
// pipeline. The key `include` is gone from the result.
// Throws Error(Exit::config) with the place of the include and of those that led there.
Table read_with_includes(const std::filesystem::path& file);

}  // namespace sluice::config
