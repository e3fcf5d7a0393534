// What tells whether files have changed.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace sluice::shared_files {

// A hash of the names, sizes and times of change of files below `folder`, in their order; see sdk/identity.hpp.
std::array<std::uint64_t, 2> file_identity(const std::filesystem::path& folder, std::span<const std::string> names);

// From the root on; as it is if the working folder is gone.
std::string absolute_name(const std::filesystem::path& file);

}  // namespace sluice::shared_files
