#include "classes.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "sluice/sdk/guard.hpp"

namespace sluice::csv_images {
namespace {

// As a program writes it: "07" and "+7" are words.
std::optional<std::int64_t> whole_number(const std::string& text) {
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && std::to_string(number) == text ? std::optional(number) : std::nullopt;
}

std::map<std::string, std::int64_t> numbers_of(const std::vector<std::string>& classes) {
    std::map<std::string, std::int64_t> numbers;
    for (const std::string& name : classes) {
        if (!numbers.emplace(name, static_cast<std::int64_t>(numbers.size())).second) {
            throw sdk::Failure(SLUICE_INVALID, "option 'classes' has '" + name + "' twice");
        }
    }
    return numbers;
}

}  // namespace

std::vector<std::string> sorted_classes(const CsvTable& table, std::size_t label) {
    std::set<std::string> found;
    for (const CsvRow& row : table.rows()) {
        found.insert(row.cells[label]);
    }
    std::vector<std::string> classes(found.begin(), found.end());
    if (std::all_of(classes.begin(), classes.end(), whole_number)) {
        std::sort(classes.begin(), classes.end(),
                  [](const std::string& a, const std::string& b) { return *whole_number(a) < *whole_number(b); });
    }
    return classes;
}

std::vector<std::int64_t> number_classes(const CsvTable& table, std::size_t label,
                                         const std::vector<std::string>& classes) {
    const auto numbers = numbers_of(classes);
    std::vector<std::int64_t> labels;
    for (const CsvRow& row : table.rows()) {
        const std::string& name = row.cells[label];
        if (name.empty()) {
            table.bad(row.line, "the cell of the class is empty");
        }
        const auto found = numbers.find(name);
        if (found == numbers.end()) {
            table.bad(row.line, "class '" + name + "' is not in option 'classes'");
        }
        labels.push_back(found->second);
    }
    return labels;
}

}  // namespace sluice::csv_images
