// The page of one run: its course, what its steps and its machine were spent on, recorded windows, and its pipeline.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "history/run_record.hpp"
#include "report/page.hpp"

namespace sluice::report {

// Returns the page without its pictures, which a file embeds and a server links. Curves have at most 500 points.
Page run_page(const history::RunRecord& run);

// Returns a sheet of pictures as PNG; nothing if it is not there yet. Throws Error(Exit::config) if it cannot be read.
std::optional<std::string> read_picture(const std::filesystem::path& run, const std::string& name);

// Names of sheets of pictures that show the course of a training: the first, the last, and some between them.
std::vector<std::string> chosen_pictures(const std::vector<std::string>& all, std::size_t most);

}  // namespace sluice::report
