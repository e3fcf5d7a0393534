// A CSV file that grows by rows. The file is written anew only when its header changes.
#include "csv_table.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace sluice::observers {
namespace {

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> cells;
    std::size_t begin = 0;
    for (std::size_t comma = 0; (comma = line.find(',', begin)) != std::string::npos; begin = comma + 1) {
        cells.push_back(line.substr(begin, comma - begin));
    }
    cells.push_back(line.substr(begin));
    return cells;
}

// A line of `count` cells, empty ones at the right where there are fewer.
std::string line_of(const std::vector<std::string>& cells, std::size_t count) {
    std::string line;
    for (std::size_t i = 0; i < count; ++i) {
        line += (i == 0 ? "" : ",") + (i < cells.size() ? cells[i] : std::string());
    }
    return line + "\n";
}

}  // namespace

CsvTable::CsvTable(std::filesystem::path path) : path_(std::move(path)) { rewrite(); }

CsvTable::CsvTable(std::filesystem::path path, const std::string& column, double last) : path_(std::move(path)) {
    load(read_file(path_));
    const std::size_t index = index_of(column);
    std::erase_if(rows_, [&](const std::vector<std::string>& row) {
        return index >= row.size() || std::strtod(row[index].c_str(), nullptr) > last;
    });
    rewrite();
}

void CsvTable::add(const std::vector<Cell>& cells) {
    const std::size_t known = columns_.size();
    std::vector<std::string> row(known);
    for (const Cell& cell : cells) {
        set(row, cell);
    }
    rows_.push_back(row);
    if (columns_.size() != known || !is_whole_) {
        rewrite();
    } else {
        is_whole_ = false;
        file_->write(line_of(row, columns_.size()));
        file_->flush();
        is_whole_ = true;
    }
}

bool CsvTable::amend(const Cell& key, const std::vector<Cell>& cells) {
    const std::size_t index = index_of(key.column);
    if (rows_.empty() || index >= rows_.back().size() || rows_.back()[index] != key.text) {
        return false;
    }
    for (const Cell& cell : cells) {
        set(rows_.back(), cell);
    }
    rewrite();
    return true;
}

void CsvTable::set(std::vector<std::string>& row, const Cell& cell) {
    const std::size_t index = index_of(cell.column);
    if (index == columns_.size()) {
        columns_.push_back(cell.column);
    }
    row.resize(std::max(row.size(), index + 1));
    row[index] = cell.text;
}

std::size_t CsvTable::index_of(const std::string& column) const {
    return static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
}

void CsvTable::load(const std::string& text) {
    for (const std::string& line : whole_lines(text)) {
        if (columns_.empty()) {
            columns_ = split(line);
        } else {
            rows_.push_back(split(line));
        }
    }
}

void CsvTable::rewrite() {
    std::string text;
    if (!columns_.empty()) {
        text = line_of(columns_, columns_.size());
    }
    for (const auto& row : rows_) {
        text += line_of(row, columns_.size());
    }
    is_whole_ = false;
    replace_file(path_, text);
    file_ = OutputFile(path_);
    is_whole_ = true;
}

}  // namespace sluice::observers
