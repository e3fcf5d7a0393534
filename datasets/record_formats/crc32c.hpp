// CRC-32 with Castagnoli's polynomial, as TFRecord files use it.
#pragma once

#include "bytes.hpp"

namespace sluice::records {

std::uint32_t crc32c(ByteSpan bytes);

// As it is stored: turned and shifted, so that a sum over data that holds sums is no special case.
std::uint32_t masked_crc32c(ByteSpan bytes);

}  // namespace sluice::records
