// What the loader must know of an ELF file before it may be loaded: that it is whole, for this machine, and a plugin.
// Reads headers and the sections it needs, never the whole file, and runs nothing. Truncated files must be found here:
// dlopen() maps the segments that headers promise, and touching a page beyond the end kills the process.
#pragma once

#include <filesystem>
#include <string>

namespace sluice::registry {

// The manifest's text of a whole plugin file. Throws Error(Exit::plugin): "FILE: what was found, what would be right".
std::string read_manifest_section(const std::filesystem::path& file);

}  // namespace sluice::registry
