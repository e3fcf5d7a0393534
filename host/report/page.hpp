// A page of figures about runs: what it shows, apart from how it looks. `to_html` makes one file of it, which needs no
// network; `to_json` is what its script draws.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::report {

// A curve with one y for each x. Values may be NaN.
struct Line {
    std::string name{};
    std::vector<double> x{};
    std::vector<double> y{};
};

struct Chart {
    std::string title{};
    std::string x{};          // name of the horizontal axis: "step"
    std::string y{};          // name and unit of the vertical axis: "ms per step"
    bool is_stacked = false;  // the lines are parts of a sum and share their x values
    std::vector<Line> lines{};
};

struct Column {
    std::string name{};
    std::string unit{};  // "s", "B", "B/s", "FLOP/s", "share" (shown in percent) or another; may be empty
};

struct Link {
    std::string text{};
    std::string target{};  // address on the page's own server
};

// NaN is an empty cell.
using Cell = std::variant<std::string, double, Link>;

// An empty cell unless the value is positive.
inline double unless_zero(double value) { return value > 0.0 ? value : std::numeric_limits<double>::quiet_NaN(); }

// A form by which rows of a table are chosen: the button opens the address with a parameter for each chosen row.
struct Choice {
    std::string action{};               // address, such as "/compare"
    std::string parameter{};            // "run"
    std::string button{};               // "Compare"
    std::vector<std::string> values{};  // one for each row, percent-encoded; empty: the table has no form
};

struct Table {
    std::string title{};
    std::vector<Column> columns{};
    std::vector<std::vector<Cell>> rows{};
    Choice choice{};
};

struct Picture {
    std::string title{};
    std::string source{};  // a data: address, or one on the page's own server
};

struct Section {
    std::string title{};
    std::string note{};  // a sentence below the title; may be empty
    std::vector<Chart> charts{};
    std::vector<Table> tables{};
    std::vector<Picture> pictures{};
    std::string text{};  // preformatted lines, such as a log; may be empty

    [[nodiscard]] bool is_empty() const {
        return charts.empty() && tables.empty() && pictures.empty() && text.empty() && note.empty();
    }
};

struct Page {
    std::string title{};
    std::string state{};                                       // "running"; may be empty
    std::string verdict{};                                     // one sentence
    std::string next{};                                        // the suggested next command and its reason
    std::vector<Link> links{};                                 // to other pages
    double progress = 0.0;                                     // 0 to 1; NaN hides the bar
    std::vector<std::pair<std::string, std::string>> facts{};  // figures at a glance: name and value
    std::vector<Section> sections{};
};

// One JSON object. Invalid UTF-8 in texts is replaced.
std::string to_json(const Page& page);

// An HTML file that needs the server which it comes from: it loads what it shows, as to_json() has it, from the address
// `source`, again and again.
std::string to_live_html(const std::string& title, const std::string& source);

// A whole HTML file. Nothing in the page's texts can become markup or script.
std::string to_html(const Page& page);

}  // namespace sluice::report
