// XXH3, 64 bits: the checksum of our own files.
#pragma once

#include "bytes.hpp"

namespace sluice::records {

std::uint64_t hash_of(ByteSpan bytes);

}  // namespace sluice::records
