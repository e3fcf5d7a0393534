// TFRecord files. A record is its length (8 bytes), a checksum of the length (4), the data, and a checksum of the data
// (4). Checksums are masked CRC32C. The whole file may be compressed with gzip.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "gzip.hpp"
#include "input_file.hpp"

namespace sluice::records {

// A file and the offsets of its records. Opening it reads only the records' lengths, but it decompresses gzip files
// completely. If the length of a record is damaged or cut off, the records after it cannot be found; together they
// count as one record that cannot be read. Reading: [any thread]
class TfRecordFile {
public:
    // `max_entry_points`: most entry points of a compressed file, evenly spaced from its start. A read decompresses
    // from the last entry point before the record. Throws Damage if the file cannot be opened.
    explicit TfRecordFile(const std::filesystem::path& path, std::size_t max_entry_points);

    // True if an uncompressed file that begins with `head`, at least 12 bytes, has this format.
    static bool is_one(ByteSpan head);

    [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }
    // Number of records, including the one for records that cannot be found.
    [[nodiscard]] std::uint64_t size() const { return whole() + (lost_.empty() ? 0 : 1); }
    [[nodiscard]] std::uint64_t whole() const { return records_.size(); }
    // The message about the damage from record whole() on, with the file's name; empty: no damage.
    [[nodiscard]] const std::string& lost() const { return lost_; }
    // Number of entry points for decompression; 0 if the file is not compressed.
    [[nodiscard]] std::size_t ways_in() const { return ways_in_.size(); }
    // "cats.tfrecord, record 7 at byte 1200", for a number below whole().
    [[nodiscard]] std::string name(std::uint64_t number) const;
    // Returns the record's data, which lies in `scratch`. Throws Damage, also if a checksum is wrong.
    ByteSpan read(std::uint64_t number, Bytes& scratch) const;
    // Calls `take` for each of the first `count` records in order, and decompresses the file once. Skips records that
    // cannot be read or for which `take` throws Damage.
    using Taker = std::function<void(std::uint64_t number, ByteSpan bytes)>;
    void read_first(std::uint64_t count, const Taker& take) const;

private:
    struct Record {
        std::uint64_t offset = 0;  // of the record with its length, in decompressed bytes
        std::uint64_t bytes = 0;
    };

    void find_records();
    void find_in_plain();
    void find_in_gzip();
    void add_way_in(const GzipReader& reader);
    std::uint64_t checked_length(const std::uint8_t* head, std::uint64_t offset) const;
    [[nodiscard]] std::optional<GzipReader> way_in(std::uint64_t offset) const;
    ByteSpan read(std::uint64_t number, std::optional<GzipReader>& from, Bytes& scratch) const;
    [[noreturn]] void cut_off(std::uint64_t offset, std::uint64_t needed, std::uint64_t found) const;

    InputFile file_;
    std::vector<Record> records_;
    std::string lost_;
    std::size_t most_ways_in_;
    std::uint64_t between_ways_in_ = std::uint64_t{1} << 20;
    std::map<std::uint64_t, GzipReader> ways_in_;  // by offset in decompressed bytes; empty: not compressed
};

// Writes the bytes as a record, with length and checksums.
void write_tfrecord(ByteSink& to, ByteSpan bytes);

}  // namespace sluice::records
