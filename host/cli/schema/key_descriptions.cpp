#include "cli/schema/key_descriptions.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace sluice::cli {
namespace {

// Returns the cells of a row, without the spaces around them.
std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells;
    std::istringstream parts(row.substr(1));
    for (std::string cell; std::getline(parts, cell, '|');) {
        const std::size_t first = cell.find_first_not_of(' ');
        cells.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
    }
    return cells;
}

// Returns the texts between backticks.
std::vector<std::string> codes_in(const std::string& cell) {
    std::vector<std::string> codes;
    std::istringstream parts(cell);
    bool is_code = false;
    for (std::string part; std::getline(parts, part, '`'); is_code = !is_code) {
        if (is_code) {
            codes.push_back(part);
        }
    }
    return codes;
}

}  // namespace

std::map<std::string, std::string> describe_keys(std::string_view page) {
    std::map<std::string, std::string> descriptions;
    std::istringstream lines{std::string(page)};
    bool is_in_model = false;
    bool is_table_of_keys = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("#")) {
            is_in_model = line == "## [model]";
        }
        if (!line.starts_with("|")) {
            is_table_of_keys = false;
            continue;
        }
        const std::vector<std::string> cells = cells_of(line);
        is_table_of_keys = is_table_of_keys || cells.front() == "key";
        if (!is_table_of_keys || cells.size() != 3) {
            continue;
        }
        std::string text = cells[2];
        std::erase(text, '`');
        for (const std::string& key : codes_in(cells[0])) {
            const bool is_of_layer = is_in_model && key.find('.') == std::string::npos;
            descriptions.emplace(is_of_layer ? "model.layers.*." + key : key, text);
        }
    }
    return descriptions;
}

}  // namespace sluice::cli
