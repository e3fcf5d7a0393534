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

// Functions that add touch no file: write_out() does, and may be called again after it has failed.
class CsvTable {
public:
    // `kept`: the file that is there is continued without the rows whose number in `column` is above `last`; else it
    // starts empty.
    struct Kept {
        std::string column;
        double last;
    };
    CsvTable(std::filesystem::path path, std::optional<Kept> kept);
    void add(std::vector<Cell> row);
    // Sets cells of the last row, if that row has this key; else adds `row`.
    void amend_or_add(const Cell& key, std::vector<Cell> cells, std::vector<Cell> row);
    // Writes what the file lacks. Throws where that fails.
    void write_out();

private:
    struct Change {
        std::optional<Cell> key;  // absent: `row` is added
        std::vector<Cell> cells;
        std::vector<Cell> row;
    };

    void apply(const Change& change);
    void append(const std::vector<Cell>& cells);
    bool amend(const Cell& key, const std::vector<Cell>& cells);
    void set(std::vector<std::string>& row, const Cell& cell);
    [[nodiscard]] std::size_t index_of(const std::string& column) const;
    void load();
    [[nodiscard]] std::string text_of(std::size_t first_row) const;

    OutputFile file_;
    std::optional<Kept> kept_;     // until the file was read
    std::vector<Change> changes_;  // that came before it was
    std::vector<std::string> columns_;
    std::vector<std::vector<std::string>> rows_;  // each at most as long as columns_
    std::size_t written_ = 0;                     // rows in the file
    bool is_new_ = true;  // the whole file is to be written: at first, and when more changed than rows that came
};

}  // namespace sluice::observers
