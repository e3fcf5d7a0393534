// Files of records, one behind the other: what a cache on disk is made of. Private to this folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sluice::data {

inline constexpr const char* kSamplesSuffix = ".samples";

// Where one lies in its file.
struct RecordPlace {
    std::uint64_t index;  // of the sample
    std::uint64_t offset;
    std::uint64_t bytes;
};

struct RecordList {
    std::vector<RecordPlace> records;  // those that are of use
    std::uint64_t bytes = 0;           // from the file's start, of whole records; behind them none can be found
    bool is_read = true;               // false: the disk refused to give some of it
};

// The files in `folder`, first those that were begun first.
[[nodiscard]] std::vector<std::filesystem::path> kept_files(const std::filesystem::path& folder);
// The name of file `number`, and back; 0 where it has none.
[[nodiscard]] std::string kept_name(std::uint64_t number);
[[nodiscard]] std::uint64_t kept_number(const std::filesystem::path& file);

// Of a file of that many bytes, by its headers alone, from byte `from` on.
[[nodiscard]] RecordList list_records(int descriptor, std::uint64_t size, std::uint64_t from = 0);
// That record is not listed any more, where the file can be written.
void mark_damaged(const std::filesystem::path& file, const RecordPlace& place);

// Whether all of it could be read or written; errno says why not, and is 0 where the file ends before.
[[nodiscard]] bool read_at(int descriptor, void* to, std::size_t bytes, std::uint64_t offset);
[[nodiscard]] bool write_at(int descriptor, std::span<const std::uint8_t> bytes, std::uint64_t offset);
// One part behind the other.
[[nodiscard]] bool write_at(int descriptor, std::span<const std::span<const std::uint8_t>> parts, std::uint64_t offset);

}  // namespace sluice::data
