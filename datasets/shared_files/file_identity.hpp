// Detects whether files have changed.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace sluice::shared_files {

// A hash of the names, sizes and modification times of files below `folder`, in the given order; see sdk/identity.hpp.
std::array<std::uint64_t, 2> file_identity(const std::filesystem::path& folder, std::span<const std::string> names);

// The absolute path; unchanged if the working folder no longer exists.
std::string absolute_name(const std::filesystem::path& file);

}  // namespace sluice::shared_files
