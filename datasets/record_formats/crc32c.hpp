// CRC-32 with Castagnoli's polynomial, as TFRecord files use it.
#pragma once

#include "bytes.hpp"

namespace sluice::records {

std::uint32_t crc32c(ByteSpan bytes);

// The stored form: rotated and shifted, so that a CRC over data that contains CRCs is no special case.
std::uint32_t masked_crc32c(ByteSpan bytes);

}  // namespace sluice::records
