// The files of a disk cache. Each is a sequence of records. Private to this folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sluice::data {

inline constexpr const char* kSamplesSuffix = ".samples";

// The position of one record in its file.
struct RecordPlace {
    std::uint64_t index;   // of the sample
    std::uint64_t offset;  // in the file
    std::uint64_t bytes;   // of the record, with its header
};

struct RecordList {
    std::vector<RecordPlace> records;  // without damaged ones
    std::uint64_t bytes = 0;           // from the file's start to the end of the last whole record
    bool is_read = true;               // false: reading the file failed
};

// The files in `folder`, oldest first.
[[nodiscard]] std::vector<std::filesystem::path> kept_files(const std::filesystem::path& folder);
// Convert between a file's number and its name; kept_number() returns 0 if the name has no number.
[[nodiscard]] std::string kept_name(std::uint64_t number);
[[nodiscard]] std::uint64_t kept_number(const std::filesystem::path& file);

// Lists the records from byte `from` on of a file of `size` bytes. Reads only the headers.
[[nodiscard]] RecordList list_records(int descriptor, std::uint64_t size, std::uint64_t from = 0);
// Marks the record as damaged, so that list_records() omits it. Has no effect if the file cannot be written.
void mark_damaged(const std::filesystem::path& file, const RecordPlace& place);

// True if all bytes were read or written. On failure errno has the reason; it is 0 if the file ends early.
[[nodiscard]] bool read_at(int descriptor, void* to, std::size_t bytes, std::uint64_t offset);
[[nodiscard]] bool write_at(int descriptor, std::span<const std::uint8_t> bytes, std::uint64_t offset);
// Writes `parts` one after the other.
[[nodiscard]] bool write_at(int descriptor, std::span<const std::span<const std::uint8_t>> parts, std::uint64_t offset);

}  // namespace sluice::data
