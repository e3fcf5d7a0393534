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

std::vector<std::string> in_order(const std::set<std::string>& found) {
    std::vector<std::string> classes(found.begin(), found.end());
    if (std::all_of(classes.begin(), classes.end(), whole_number)) {
        std::sort(classes.begin(), classes.end(),
                  [](const std::string& a, const std::string& b) { return *whole_number(a) < *whole_number(b); });
    }
    return classes;
}

// "; the first alone has 'cat', 'cow' and 3 more"
std::string only_in(const std::string& which, const std::vector<std::string>& classes,
                    const std::vector<std::string>& others) {
    constexpr std::size_t kTold = 2;
    const std::set<std::string> known(others.begin(), others.end());
    std::string told;
    std::size_t count = 0;
    for (const std::string& name : classes) {
        if (!known.contains(name) && ++count <= kTold) {
            told += (count == 1 ? "'" : ", '") + name + "'";
        }
    }
    const std::string more = count > kTold ? " and " + std::to_string(count - kTold) + " more" : "";
    return count == 0 ? "" : "; the " + which + " alone has " + told + more;
}

// A list for option `classes` of both. Where one was given, its order stays.
std::vector<std::string> joined(const NamedClasses& a, const NamedClasses& b) {
    std::set<std::string> all(a.classes.begin(), a.classes.end());
    all.insert(b.classes.begin(), b.classes.end());
    if (!a.is_given && !b.is_given) {
        return in_order(all);
    }
    std::vector<std::string> classes = a.is_given ? a.classes : b.classes;
    for (const std::string& name : classes) {
        all.erase(name);
    }
    const std::vector<std::string> rest = in_order(all);
    classes.insert(classes.end(), rest.begin(), rest.end());
    return classes;
}

// As a pipeline writes it, cut where a message of that length has no room for all.
std::string list_of_all(const NamedClasses& a, const NamedClasses& b, std::size_t length) {
    const std::string end = ", ...], all of them in one order";
    const std::vector<std::string> classes = joined(a, b);
    std::string list = "[";
    for (const std::string& name : classes) {
        const std::string item = (list.size() == 1 ? "\"" : ", \"") + name + "\"";
        if (length + list.size() + item.size() + end.size() >= sizeof(sluice_error::message)) {
            return list + end;
        }
        list += item;
    }
    return list + "]";
}

}  // namespace

std::vector<std::string> sorted_classes(const CsvTable& table, std::size_t label) {
    std::set<std::string> found;
    for (const CsvRow& row : table.rows()) {
        found.insert(row.cells[label]);
    }
    return in_order(found);
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

void expect_agreement(const NamedClasses& a, const NamedClasses& b) {
    const auto [in_a, in_b] = std::mismatch(a.classes.begin(), a.classes.end(), b.classes.begin(), b.classes.end());
    if (in_a == a.classes.end() || in_b == b.classes.end()) {
        return;
    }
    const std::string message = "'" + a.file + "' and '" + b.file + "', which one pipeline reads, number classes " +
                                "differently: " + std::to_string(in_a - a.classes.begin()) + " is '" + *in_a +
                                "' of the first and '" + *in_b + "' of the second" +
                                only_in("first", a.classes, b.classes) + only_in("second", b.classes, a.classes) +
                                ". Give all of them classes = ";
    throw sdk::Failure(SLUICE_INVALID, message + list_of_all(a, b, message.size()));
}

}  // namespace sluice::csv_images
