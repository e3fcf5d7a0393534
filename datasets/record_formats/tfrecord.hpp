// TFRecord files: for each record its length (8 bytes), a sum of that (4), the bytes, a sum of these (4); the sums are
// masked CRC32C. The whole may be packed with gzip.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "gzip.hpp"
#include "input_file.hpp"

namespace sluice::records {

// A file whose records were found: their bytes are not looked at before they are read, but of gzip files, which have to
// be unpacked for it. Where the frame of a record is damaged or cut off, what lies behind cannot be found: all of it
// counts as one record, which cannot be read. Reading is for any thread.
class TfRecordFile {
public:
    // `most_ways_in`: places of a packed file where unpacking may begin, evenly from its start on; a read unpacks all
    // from the last of them on. Throws Damage where the file cannot be opened.
    explicit TfRecordFile(const std::filesystem::path& path, std::size_t most_ways_in);

    // By the first 12 bytes of a file that is not packed.
    static bool is_one(ByteSpan head);

    [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }
    // With the one for what cannot be found.
    [[nodiscard]] std::uint64_t size() const { return whole() + (lost_.empty() ? 0 : 1); }
    [[nodiscard]] std::uint64_t whole() const { return records_.size(); }
    // What is wrong with the file from record whole() on, with its name; empty where nothing is.
    [[nodiscard]] const std::string& lost() const { return lost_; }
    // Places where unpacking may begin; none where the file is not packed.
    [[nodiscard]] std::size_t ways_in() const { return ways_in_.size(); }
    // "cats.tfrecord, record 7 at byte 1200", of one below whole().
    [[nodiscard]] std::string name(std::uint64_t number) const;
    // Its bytes, which lie in `scratch`. Throws Damage, also where a sum does not fit.
    ByteSpan read(std::uint64_t number, Bytes& scratch) const;
    // Hands over the bytes of each of the first `count` in order, and unpacks them once. Those are left out that cannot
    // be read; Damage that `take` throws counts as this.
    using Taker = std::function<void(std::uint64_t number, ByteSpan bytes)>;
    void read_first(std::uint64_t count, const Taker& take) const;

private:
    struct Record {
        std::uint64_t offset = 0;  // of the frame, in unpacked bytes
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
    std::map<std::uint64_t, GzipReader> ways_in_;  // by the unpacked byte; empty: the file is not packed
};

// Puts a frame around the bytes.
void write_tfrecord(ByteSink& to, ByteSpan bytes);

}  // namespace sluice::records
