// The safetensors format: 8 bytes of header length, a JSON header, then the tensors' bytes. Reading a file runs no
// code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor.hpp"

namespace sluice::run {

struct NamedBytes {
    std::string name;
    sluice_tensor_spec spec{};
    std::string_view bytes;
};

// A file in memory. `tensors` are views into `data`.
struct SafetensorsFile {
    std::string data;
    std::map<std::string, std::string> metadata;
    std::vector<NamedBytes> tensors;

    [[nodiscard]] const NamedBytes* find(std::string_view name) const;
};

// Writes a file atomically, with a SHA-256 over header and tensors in the metadata key "sha256". The same input gives
// the same bytes. Throws Error(Exit::save).
void write_safetensors(const std::filesystem::path& path, std::map<std::string, std::string> metadata,
                       std::span<const NamedBytes> tensors);

// Reads and verifies a file. Throws Error(Exit::config) if the file is truncated, altered or not safetensors. Files of
// other programs have no checksum and are accepted.
SafetensorsFile read_safetensors(const std::filesystem::path& path);

}  // namespace sluice::run
