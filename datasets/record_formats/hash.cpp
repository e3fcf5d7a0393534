#include "hash.hpp"

#include SLUICE_XXHASH

namespace sluice::records {

std::uint64_t hash_of(ByteSpan bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace sluice::records
