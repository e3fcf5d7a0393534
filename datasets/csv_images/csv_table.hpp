// Comma-separated values according to RFC 4180. The reader is strict: it rejects any other file and never guesses.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sluice::csv_images {

struct CsvRow {
    std::size_t line = 0;  // of the file, where the row begins; from 1
    std::vector<std::string> cells;
};

class CsvTable {
public:
    // Lines end in LF or CRLF. A byte order mark at the start and empty lines are ignored. Throws SLUICE_INVALID if the
    // file cannot be read, and SLUICE_BAD_SAMPLE, with file and line, if a row has another number of cells than the
    // first or if there are no rows below the first.
    explicit CsvTable(std::filesystem::path file);

    [[nodiscard]] const std::filesystem::path& file() const { return file_; }
    [[nodiscard]] const std::vector<CsvRow>& rows() const { return rows_; }
    // The number of the column `name`, which option `option` gave. Throws SLUICE_INVALID, with all names, if there is
    // no such column or more than one.
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
