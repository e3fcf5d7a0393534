// Files that are whole or not there: read at once, written aside and renamed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

// The whole file. Throws Error(exit) naming the file and the system's reason.
std::string read_file(const std::filesystem::path& path);

// Writes beside `path`, flushes to the disk and renames, so that a crash or a full disk leaves the old file or the new
// one, never a torn one. Throws Error(Exit::save).
void write_file_atomically(const std::filesystem::path& path, std::span<const std::string_view> parts);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// SHA-256 of the parts in their order, as 64 hexadecimal digits.
std::string sha256(std::span<const std::string_view> parts);

// The folder of the running executable.
std::filesystem::path executable_folder();

}  // namespace sluice
