// Checks an ELF file before it is loaded: it must be whole, built for this machine, and a plugin. Reads only the
// headers and the needed sections and runs no code. Truncated files must be refused here, because dlopen() maps
// segments beyond the end of the file, and touching such a page kills the process.
#pragma once

#include <filesystem>
#include <string>

namespace sluice::registry {

// Checks the file and returns the text of its manifest. Throws Error(Exit::plugin) with the file, what was found and
// what is needed.
std::string read_manifest_section(const std::filesystem::path& file);

}  // namespace sluice::registry
