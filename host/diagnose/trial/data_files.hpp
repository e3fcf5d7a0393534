// The files that the sources of a pipeline read, as far as their options name them.
#pragma once

#include <filesystem>
#include <vector>

#include "config/spec.hpp"

namespace sluice::diagnose {

// The files that options of the sources of data.train name, and those in folders that they name; at most `most`.
std::vector<std::filesystem::path> data_files(const config::PipelineSpec& spec, std::size_t most);
// Drops files from the page cache, so that the next read comes from the disk. A file that cannot be opened is left out.
void drop_from_page_cache(const std::vector<std::filesystem::path>& files);

}  // namespace sluice::diagnose
