// A CSV file that grows by rows. New columns are added at the right, and earlier rows get empty cells there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "files/output_file.hpp"

namespace sluice::observers {

struct Cell {
    std::string column;
    std::string text;  // without commas, quotes and line ends
};

// add() and amend_or_add() do not touch the file. write_out() does, and may be called again after it has failed.
class CsvTable {
public:
    // kept: continues the existing file, without the rows whose number in `column` is above `last`. Empty: the file
    // starts empty.
    struct Kept {
        std::string column;
        double last;
    };
    CsvTable(std::filesystem::path path, std::optional<Kept> kept);
    void add(std::vector<Cell> row);
    // Sets cells of the last row, if that row has this key; else adds `row`.
    void amend_or_add(const Cell& key, std::vector<Cell> cells, std::vector<Cell> row);
    // Writes what is not in the file yet. Throws if that fails.
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
    std::optional<Kept> kept_;     // reset once the file was read
    std::vector<Change> changes_;  // made before the file was read
    std::vector<std::string> columns_;
    std::vector<std::vector<std::string>> rows_;  // each at most as long as columns_
    std::size_t written_ = 0;                     // rows in the file
    bool is_new_ = true;  // the whole file must be written: at first, and if more changed than rows were added
};

}  // namespace sluice::observers
