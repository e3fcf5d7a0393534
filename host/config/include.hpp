// Reads a TOML file and what it includes into one table. Every value keeps the place where it was last written.
#pragma once

#include <filesystem>

#include "base/value.hpp"

namespace sluice::config {

// `include = "base.toml"`, or an array of files, names the files that a file inherits from, relative to its own folder.
// A later file of the array overrides an earlier one, and the file itself overrides all. A name without a file means an
// installed pipeline. The result has no key `include`.
// Throws Error(Exit::config) with the place of the include and of the includes that led there.
Table read_with_includes(const std::filesystem::path& file);

}  // namespace sluice::config
