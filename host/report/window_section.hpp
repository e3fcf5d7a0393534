// The tables of recorded windows.
#pragma once

#include <filesystem>
#include <vector>

#include "report/page.hpp"

namespace sluice::report {

// Returns a section for each of the newest windows of rank 0, newest first. A window that cannot be read has a section
// with the reason.
std::vector<Section> window_sections(const std::filesystem::path& run);

}  // namespace sluice::report
