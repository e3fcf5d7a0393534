// A CSV file that grows by rows. It is rewritten only if its header or its last row changes.
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

// Returns a line of `count` cells. Missing cells at the right are empty.
std::string line_of(const std::vector<std::string>& cells, std::size_t count) {
    std::string line;
    for (std::size_t i = 0; i < count; ++i) {
        line += (i == 0 ? "" : ",") + (i < cells.size() ? cells[i] : std::string());
    }
    return line + "\n";
}

}  // namespace

CsvTable::CsvTable(std::filesystem::path path, std::optional<Kept> kept)
    : file_(std::move(path)), kept_(std::move(kept)) {}

void CsvTable::add(std::vector<Cell> row) { apply({.key = std::nullopt, .cells = {}, .row = std::move(row)}); }

void CsvTable::amend_or_add(const Cell& key, std::vector<Cell> cells, std::vector<Cell> row) {
    apply({.key = key, .cells = std::move(cells), .row = std::move(row)});
}

void CsvTable::write_out() {
    if (kept_) {
        load();
    }
    if (is_new_) {
        file_.replace((columns_.empty() ? "" : line_of(columns_, columns_.size())) + text_of(0));
    } else if (written_ < rows_.size()) {
        file_.append(text_of(written_));
    }
    written_ = rows_.size();
    is_new_ = false;
}

void CsvTable::apply(const Change& change) {
    if (kept_) {
        changes_.push_back(change);
    } else if (!change.key || !amend(*change.key, change.cells)) {
        append(change.row);
    }
}

void CsvTable::append(const std::vector<Cell>& cells) {
    std::vector<std::string> row(columns_.size());
    for (const Cell& cell : cells) {
        set(row, cell);
    }
    rows_.push_back(std::move(row));
}

bool CsvTable::amend(const Cell& key, const std::vector<Cell>& cells) {
    const std::size_t index = index_of(key.column);
    if (rows_.empty() || index >= rows_.back().size() || rows_.back()[index] != key.text) {
        return false;
    }
    for (const Cell& cell : cells) {
        set(rows_.back(), cell);
    }
    is_new_ = true;
    return true;
}

void CsvTable::set(std::vector<std::string>& row, const Cell& cell) {
    const std::size_t index = index_of(cell.column);
    if (index == columns_.size()) {
        columns_.push_back(cell.column);
        is_new_ = true;
    }
    row.resize(std::max(row.size(), index + 1));
    row[index] = cell.text;
}

std::size_t CsvTable::index_of(const std::string& column) const {
    return static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
}

void CsvTable::load() {
    const std::string text = read_file(file_.path());
    for (const std::string& line : whole_lines(text)) {
        if (columns_.empty()) {
            columns_ = split(line);
        } else {
            rows_.push_back(split(line));
        }
    }
    const std::size_t index = index_of(kept_->column);
    std::erase_if(rows_, [&](const std::vector<std::string>& row) {
        return index >= row.size() || std::strtod(row[index].c_str(), nullptr) > kept_->last;
    });
    kept_.reset();
    for (const Change& change : std::exchange(changes_, {})) {
        apply(change);
    }
}

std::string CsvTable::text_of(std::size_t first_row) const {
    std::string text;
    for (std::size_t i = first_row; i < rows_.size(); ++i) {
        text += line_of(rows_[i], columns_.size());
    }
    return text;
}

}  // namespace sluice::observers
