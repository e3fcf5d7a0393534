// The lines of a pipeline that read the prepared files.
#pragma once

#include <filesystem>
#include <string>

#include "prepare/prefix.hpp"
#include "prepare/shard_format.hpp"

namespace sluice::prepare {

// source = { use = "records", path = "FOLDER" }
std::string source_line(const std::filesystem::path& folder, const ShardFormat& format);

// map = [ the transforms that were not prepared ]
std::string map_line(const Prefix& prefix);

}  // namespace sluice::prepare
