// A CSV file that grows by rows. Columns that are new to it are added at the right, and earlier rows get empty cells.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "output_file.hpp"

namespace sluice::observers {

struct Cell {
    std::string column;
    std::string text;  // without commas, quotes and line ends
};

class CsvTable {
public:
    // Starts an empty file.
    explicit CsvTable(std::filesystem::path path);
    // Continues the file that is there, without the rows whose number in `column` is above `last`.
    CsvTable(std::filesystem::path path, const std::string& column, double last);
    // Adds a row and writes it out.
    void add(const std::vector<Cell>& cells);
    // Sets these cells of the last row and writes it out, if that row has this key; else does nothing and returns
    // false.
    bool amend(const Cell& key, const std::vector<Cell>& cells);

private:
    void set(std::vector<std::string>& row, const Cell& cell);
    [[nodiscard]] std::size_t index_of(const std::string& column) const;
    void load(const std::string& text);
    void rewrite();

    std::filesystem::path path_;
    std::vector<std::string> columns_;
    std::vector<std::vector<std::string>> rows_;  // each at most as long as columns_
    std::optional<OutputFile> file_;
    bool is_whole_ = false;  // every row is in the file; where writing failed it is written anew with the next row
};

}  // namespace sluice::observers
