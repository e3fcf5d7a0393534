// The files of recorded windows in a run's folder: RUN/profile/steps-000020-000024.json, and for other ranks than 0
// steps-000020-000024-rank-1.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace sluice::profile {

struct WindowFile {
    std::filesystem::path path;
    std::int64_t first_step = 0;
    std::int64_t last_step = 0;
    std::uint32_t rank = 0;
    std::filesystem::file_time_type written;
};

// Returns nothing if this is not the name of such a file. The time of writing stays empty.
std::optional<WindowFile> parse_window_name(std::string_view name);

// Returns the files of all windows by steps, those of one window by rank. There are none if there is no folder.
// Throws Error(Exit::config) if the folder cannot be read.
std::vector<WindowFile> find_windows(const std::filesystem::path& run);

// Returns the file of rank 0 that was written last, else the last of any rank; null if there is none.
const WindowFile* newest_window(const std::vector<WindowFile>& files);
// The files of the same steps by other ranks.
std::vector<WindowFile> other_ranks(const std::vector<WindowFile>& files, const WindowFile& window);

}  // namespace sluice::profile
