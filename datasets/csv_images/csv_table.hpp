// Comma-separated values as RFC 4180 describes them. Strict: what is not such a table is refused, never guessed at.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sluice::csv_images {

struct CsvRow {
    std::size_t line = 0;  // where it begins in the file, from 1
    std::vector<std::string> cells;
};

class CsvTable {
public:
    // Lines end in LF or CRLF; a byte order mark in front and empty lines are left out. Throws SLUICE_INVALID where
    // the file cannot be read, and SLUICE_BAD_SAMPLE, with file and line, where a row has not as many cells as the
    // first, or where there are no rows below it.
    explicit CsvTable(std::filesystem::path file);

    [[nodiscard]] const std::filesystem::path& file() const { return file_; }
    [[nodiscard]] const std::vector<CsvRow>& rows() const { return rows_; }
    // The number of the column of that name. Throws SLUICE_INVALID with the names that there are; `option` gave it.
    [[nodiscard]] std::size_t column(const std::string& name, const std::string& option) const;
    // "data/train.csv:17: "
    [[nodiscard]] std::string place(std::size_t line) const;
    // Throws SLUICE_BAD_SAMPLE: "data/train.csv:17: " and the message.
    [[noreturn]] void bad(std::size_t line, const std::string& message) const;

private:
    std::filesystem::path file_;
    CsvRow names_;
    std::vector<CsvRow> rows_;
};

}  // namespace sluice::csv_images
