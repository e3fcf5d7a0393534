// One file's bytes as one field of a sample.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sluice/sdk/data.hpp"

namespace sluice::shared_files {

// uint8 [-1]: what describe() reports for a field that read_file fills.
sluice_tensor_spec encoded_spec();

// Reads the whole file into memory of field number `field`. SLUICE_BAD_SAMPLE where it cannot be read or is empty.
void read_file(const std::filesystem::path& file, std::uint32_t field, const sdk::SampleSink& sink);

}  // namespace sluice::shared_files
