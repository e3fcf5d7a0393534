// Reads the bytes of a file as one field of a sample.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sluice/sdk/data.hpp"

namespace sluice::shared_files {

// uint8 [-1]: the spec that describe() reports for a field that read_file() fills.
sluice_tensor_spec encoded_spec();

// Reads the whole file into field number `field`. Throws SLUICE_BAD_SAMPLE if it cannot be read or is empty.
void read_file(const std::filesystem::path& file, std::uint32_t field, const sdk::SampleSink& sink);

}  // namespace sluice::shared_files
