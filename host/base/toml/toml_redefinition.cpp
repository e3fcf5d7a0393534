#include "base/toml/toml_redefinition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/toml/toml_words.hpp"

namespace sluice {
namespace {

// The key or table that a line names.
struct Named {
    std::string name;  // with the names of its tables: "data.train.source"
    std::string_view written;
    std::string_view mark;  // "[" of a table, "[[" of an array of tables, "" of a key
};

std::vector<Named> names_of_lines(std::string_view text, std::size_t lines) {
    std::vector<Named> names;
    std::string table;
    while (names.size() < lines && !text.empty()) {
        const std::size_t bytes = std::min(text.find('\n'), text.size());
        const std::string_view line = without_spaces(text.substr(0, bytes));
        text.remove_prefix(std::min(bytes + 1, text.size()));
        if (line.starts_with('[')) {
            const std::string_view mark = line.substr(0, line.starts_with("[[") ? 2 : 1);
            const std::string_view name = without_spaces(line.substr(mark.size(), line.find(']') - mark.size()));
            table = name;
            names.push_back({table, name, mark});
        } else {
            const std::string_view key = without_spaces(line.substr(0, line.find('=')));
            names.push_back({table.empty() ? std::string(key) : fmt::format("{}.{}", table, key), key, {}});
        }
    }
    return names;
}

bool is_within(std::string_view name, std::string_view outer) {
    return name.size() > outer.size() && name.starts_with(outer) && name[outer.size()] == '.';
}

// Returns the number of the first line whose name the last line defines again; 0: there is none.
std::size_t first_line_of(const std::vector<Named>& names) {
    const std::string& last = names.back().name;
    std::size_t found = 0;
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
        const auto& [name, written, mark] = names[i];
        const bool is_key = mark.empty();
        if (mark == "[[" && is_within(last, name)) {
            found = 0;  // earlier lines belong to another item of the array
        } else if (found == 0 && (name == last || (is_key && (is_within(last, name) || is_within(name, last))))) {
            found = i + 1;
        }
    }
    return found;
}

}  // namespace

std::string advice_on_redefinition(std::string_view text, const TomlError& stop) {
    const std::vector<Named> names = names_of_lines(text, stop.line);
    const std::size_t first = names.empty() ? 0 : first_line_of(names);
    if (first == 0) {
        return "; it is defined already: keep one of the two";
    }
    const auto& [name, written, mark] = names[first - 1];
    const Named& last = names.back();
    if (mark.empty()) {
        return fmt::format("; line {} sets '{}': keep one of the two", first, written);
    }
    if (!last.mark.empty() && mark != last.mark) {
        return fmt::format(
            "; line {0} writes {1}{2}{3}: a table is written [{2}] once, an array of tables [[{2}]] each time", first,
            mark, name, mark == "[" ? "]" : "]]");
    }
    return fmt::format("; [{}] begins in line {}: put the keys of both into one table", name, first);
}

}  // namespace sluice
