// XXH3, 64 bits: the checksum of Sluice's own files.
#pragma once

#include "bytes.hpp"

namespace sluice::records {

std::uint64_t hash_of(ByteSpan bytes);

}  // namespace sluice::records
