// usage.csv of a run: a row for each second at first. When the file is long, it is halved and grows half as fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "observe/usage/row.hpp"

namespace sluice::observe {

// Nothing here throws. If the file cannot be written, the log says so once, and rows are left out until it can.
class UsageFile {
public:
    // Continues an existing file of the same columns; one of other columns gets another name. `most_rows`: from that
    // number on, each two rows become one.
    UsageFile(std::filesystem::path path, std::vector<Column> columns, std::size_t most_rows = kMostRows);
    ~UsageFile();
    UsageFile(const UsageFile&) = delete;
    UsageFile& operator=(const UsageFile&) = delete;

    // Adds the row of one sample.
    void add(const Row& sample);
    // Writes the samples that do not make a whole row yet.
    void finish();
    // Samples that make a row.
    [[nodiscard]] std::size_t samples_per_row() const { return samples_per_row_; }
    [[nodiscard]] std::size_t rows() const { return rows_; }

private:
    static constexpr std::size_t kMostRows = 20'000;  // 5.5 hours of seconds, about 4 MB

    void open();
    // Sets the number of rows and of samples in each from the text of an earlier run.
    void continue_from(const std::string& text);
    void set_aside();
    void write_row();
    [[nodiscard]] bool append(const std::string& text);
    [[nodiscard]] bool write_at_end(const std::string& text);
    void halve();
    void warn(const std::string& what);
    // The file holds what must not be lost, but cannot be continued.
    void give_up(const std::string& why);
    // Opens the file or creates it, and takes its size. Returns false if that fails.
    [[nodiscard]] bool reopen();
    void close();

    std::filesystem::path path_;
    std::vector<Column> columns_;
    std::size_t most_rows_;
    int handle_ = -1;
    std::uint64_t size_ = 0;  // bytes that were written completely
    std::size_t rows_ = 0;
    std::size_t samples_per_row_ = 1;
    Row pending_;              // the samples that are not written yet
    std::size_t samples_ = 0;  // in pending_
    std::string line_;         // its memory is reused
    bool has_warned_ = false;
    bool is_given_up_ = false;
};

}  // namespace sluice::observe
