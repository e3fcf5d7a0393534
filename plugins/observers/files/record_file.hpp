// A file of records that grows at its end, such as an event file of TensorBoard. Only whole records are written, so a
// reader finds at most the last one cut off, if the process was killed. If the file or its folder is removed during a
// run, it begins again with its first records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "files/output_file.hpp"

namespace sluice::observers {

class RecordFile {
public:
    struct Format {
        std::string head;  // the bytes before the first record
        // Appends the stored form of `record`, which begins at `offset` in the file.
        void (*append)(std::string& to, std::uint64_t offset, std::string_view record);
    };

    // top: the run's folder, which must exist when records are written. Folders between it and the file are created.
    RecordFile(std::filesystem::path top, std::filesystem::path path, Format format);
    // Continues the existing file after its first `size` bytes. Without this call the file starts empty.
    void continue_after(std::uint64_t size);
    // Adds a record with which the file begins, also if it has to begin again. Call it before add().
    void add_first(std::string record) { first_.push_back(std::move(record)); }
    // Keeps the record in memory until it is written. Drops it if too many bytes wait.
    void add(std::string record);
    // True if enough bytes wait, or if the last write is a second ago. seconds: time of the run.
    [[nodiscard]] bool is_due(double seconds) const;
    // Writes the waiting records. Throws if that fails, and may be called again.
    void write_out(double seconds);
    // Throws if records were dropped.
    void expect_complete() const;

    [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }

private:
    [[nodiscard]] bool must_begin() const;
    void begin();

    std::filesystem::path top_;
    OutputFile file_;
    Format format_;
    std::vector<std::string> first_;
    std::vector<std::string> waiting_;
    std::size_t waiting_bytes_ = 0;
    double written_at_ = 0.0;  // seconds of the last write
    bool has_begun_ = false;   // the file has its head
    std::uint64_t lost_ = 0;   // records that were dropped
};

}  // namespace sluice::observers
