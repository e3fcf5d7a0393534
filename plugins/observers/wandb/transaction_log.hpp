// The records of a .wandb file. It has a head of 7 bytes and then the blocks of LevelDB's log: 32 KiB each, in which a
// record has one chunk or several. The checksums are those of zlib.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "files/record_file.hpp"

namespace sluice::observers::wandb {

RecordFile::Format log_format();

// Calls `take` for each whole record in order, with the offset of the first byte after it, until it returns false.
// Stops before a record that is damaged or cut off.
using RecordTaker = std::function<bool(std::string_view record, std::uint64_t end)>;
void read_log(std::string_view file, const RecordTaker& take);

}  // namespace sluice::observers::wandb
