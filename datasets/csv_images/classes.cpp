#include "classes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "shared_files/counted.hpp"
#include "shared_files/near_names.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::csv_images {
namespace {

using shared_files::counted;

// An integer in its canonical form; "07" and "+7" are words.
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

// "; only the first has 'cat', 'cow' and 3 more"
std::string only_in(const std::string& which, const std::vector<std::string>& classes,
                    const std::vector<std::string>& others) {
    constexpr std::size_t kListed = 2;
    const std::set<std::string> known(others.begin(), others.end());
    std::string listed;
    std::size_t count = 0;
    for (const std::string& name : classes) {
        if (!known.contains(name) && ++count <= kListed) {
            listed += (count == 1 ? "'" : ", '") + name + "'";
        }
    }
    const std::string more = count > kListed ? " and " + std::to_string(count - kListed) + " more" : "";
    return count == 0 ? "" : "; only the " + which + " has " + listed + more;
}

// The number of rows of each class.
std::vector<std::size_t> counts_of(const std::vector<std::string>& classes, const std::vector<std::int64_t>& labels) {
    std::vector<std::size_t> counts(classes.size());
    for (const std::int64_t label : labels) {
        ++counts[static_cast<std::size_t>(label)];
    }
    return counts;
}

struct WideSpace {
    std::string_view utf8;
    const char* name;
};

// Spaces beyond ASCII, some of them without width. They are invisible at the end of a name.
constexpr WideSpace kWideSpaces[] = {
    {"\xC2\xA0", "<U+00A0>"},     {"\xE2\x80\x80", "<U+2000>"}, {"\xE2\x80\x81", "<U+2001>"},
    {"\xE2\x80\x82", "<U+2002>"}, {"\xE2\x80\x83", "<U+2003>"}, {"\xE2\x80\x84", "<U+2004>"},
    {"\xE2\x80\x85", "<U+2005>"}, {"\xE2\x80\x86", "<U+2006>"}, {"\xE2\x80\x87", "<U+2007>"},
    {"\xE2\x80\x88", "<U+2008>"}, {"\xE2\x80\x89", "<U+2009>"}, {"\xE2\x80\x8A", "<U+200A>"},
    {"\xE2\x80\x8B", "<U+200B>"}, {"\xE2\x80\x8E", "<U+200E>"}, {"\xE2\x80\x8F", "<U+200F>"},
    {"\xE2\x80\xAF", "<U+202F>"}, {"\xE2\x81\xA0", "<U+2060>"}, {"\xE3\x80\x80", "<U+3000>"},
    {"\xEF\xBB\xBF", "<U+FEFF>"}};

// Replaces each wide space by replacement(space).
template <class Replacement>
std::string replace_spaces(std::string name, const Replacement& replacement) {
    for (const WideSpace& space : kWideSpaces) {
        for (std::size_t at = name.find(space.utf8); at != std::string::npos; at = name.find(space.utf8, at)) {
            name.replace(at, space.utf8.size(), replacement(space));
        }
    }
    return name;
}

// Writes wide spaces by their code points, because in a message they look like other spaces or are invisible.
std::string spelled(const std::string& name) {
    return replace_spaces(name, [](const WideSpace& space) { return space.name; });
}

std::string trimmed(const std::string& given) {
    constexpr const char* kSpaces = " \t\r\n\v\f";
    const std::string name = replace_spaces(given, [](const WideSpace&) { return " "; });
    const std::size_t begin = name.find_first_not_of(kSpaces);
    return begin == std::string::npos ? "" : name.substr(begin, name.find_last_not_of(kSpaces) + 1 - begin);
}

// Normalizes a name, so that names that look the same to a reader give the same text. Spaces around a name, letter case
// and Unicode form are removed; a number is reduced to its value.
std::string without_differences(const std::string& name) {
    std::string folded = shared_files::folded(trimmed(name));
    double number = 0.0;
    const auto read = std::from_chars(folded.data(), folded.data() + folded.size(), number);
    const bool is_number = read.ec == std::errc() && read.ptr == folded.data() + folded.size() && std::isfinite(number);
    if (!is_number) {
        return folded;
    }
    std::array<char, 32> digits{};  // the shortest text that identifies the number
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    return "number " + std::string(digits.data(), written.ptr);
}

// Words that programs write for a missing value, in lower case.
bool means_nothing(const std::string& folded) {
    constexpr std::array<std::string_view, 10> kWords{"",     "nan", "na",   "n/a",  "#n/a",
                                                      "<na>", "nil", "none", "null", "undefined"};
    return std::ranges::find(kWords, folded) != kWords.end();
}

bool is_negative(const std::string& name) {
    const auto number = whole_number(name);
    return number && *number < 0;
}

// A list for option `classes` of both sources. If one was given, it keeps its order.
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

// The joined list as TOML. It is cut if it does not fit into an error message that already has `length` bytes.
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
            const auto empty = static_cast<std::size_t>(
                std::ranges::count_if(table.rows(), [label](const CsvRow& one) { return one.cells[label].empty(); }));
            table.bad(row.line, "the cell of the class is empty" +
                                    (empty > 1 ? ", in " + counted(empty, "line") + " of the file" : ""));
        }
        const auto found = numbers.find(name);
        if (found == numbers.end()) {
            const bool has_spaces = numbers.contains(trimmed(name));
            table.bad(row.line, "class '" + name + "' is not in option 'classes'" +
                                    (has_spaces ? ", but '" + trimmed(name) + "' is: remove the spaces" : ""));
        }
        labels.push_back(found->second);
    }
    return labels;
}

std::string describe_classes(const std::vector<std::string>& classes, const std::vector<std::int64_t>& labels) {
    constexpr std::size_t kMost = 20;
    const std::vector<std::size_t> counts = counts_of(classes, labels);
    std::string text;
    for (std::size_t i = 0; i < std::min(classes.size(), kMost); ++i) {
        text += (i == 0 ? "class 0 is '" : ", " + std::to_string(i) + " '") + spelled(classes[i]) + "' (" +
                (i == 0 ? counted(counts[i], "line") : std::to_string(counts[i])) + ")";
    }
    return text + (classes.size() > kMost ? " and " + std::to_string(classes.size() - kMost) + " more" : "");
}

std::vector<std::string> doubtful_classes(const std::vector<std::string>& classes,
                                          const std::vector<std::int64_t>& labels) {
    const std::vector<std::size_t> counts = counts_of(classes, labels);
    std::map<std::string, std::vector<std::size_t>> alike;  // normalized name -> class numbers
    std::vector<std::string> doubts;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        alike[without_differences(classes[i])].push_back(i);
        const std::string named =
            "class " + std::to_string(i) + " is '" + spelled(classes[i]) + "' (" + counted(counts[i], "line");
        if (means_nothing(shared_files::folded(trimmed(classes[i])))) {
            doubts.push_back(named + "), which programs write for a missing value");
        } else if (is_negative(classes[i])) {
            doubts.push_back(named + "); it does not stand for a loss's ignore_label, because classes are renumbered");
        }
    }
    for (const auto& [folded, numbers] : alike) {
        std::string names;
        for (const std::size_t i : numbers) {
            names += (names.empty() ? "'" : ", '") + spelled(classes[i]) + "' (" + counted(counts[i], "line") + ")";
        }
        if (numbers.size() > 1) {
            doubts.push_back("classes " + names +
                             " differ only in spaces, letter case, Unicode form or how a number is written");
        } else if (const std::string& name = classes[numbers.front()];
                   trimmed(name) != name && !trimmed(name).empty()) {
            doubts.push_back("class " + names + " begins or ends with a space");
        }
    }
    constexpr std::size_t kMost = 5;
    if (doubts.size() > kMost) {
        const std::size_t more = doubts.size() - kMost;
        doubts.resize(kMost);
        doubts.push_back(std::to_string(more) + " more class names are doubtful in these ways");
    }
    return doubts;
}

void expect_agreement(const NamedClasses& a, const NamedClasses& b) {
    const auto [in_a, in_b] = std::mismatch(a.classes.begin(), a.classes.end(), b.classes.begin(), b.classes.end());
    if (in_a == a.classes.end() || in_b == b.classes.end()) {
        return;
    }
    const std::string message = "'" + a.file + "' and '" + b.file + "' of one pipeline number classes " +
                                "differently: class " + std::to_string(in_a - a.classes.begin()) + " is '" + *in_a +
                                "' in the first and '" + *in_b + "' in the second" +
                                only_in("first", a.classes, b.classes) + only_in("second", b.classes, a.classes) +
                                ". Give all of them classes = ";
    throw sdk::Failure(SLUICE_INVALID, message + list_of_all(a, b, message.size()));
}

}  // namespace sluice::csv_images
