// What a cache's folder on disk loses before it is used. Private to this folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sluice::data {

// Of the files in `folder`, which nobody uses: cuts off what is behind their whole samples, removes those whose samples
// all stand in others too, and then what is beyond `budget` bytes: the oldest files, and of one its end. Says what was
// done; empty: there was nothing to do.
std::string trim_cache(const std::filesystem::path& folder, std::optional<std::uint64_t> budget);

}  // namespace sluice::data
