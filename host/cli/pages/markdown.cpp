#include "cli/pages/markdown.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <regex>
#include <sstream>
#include <vector>

namespace sluice::cli {
namespace {

using Lines = std::vector<std::string>;
using Row = std::vector<std::string>;

constexpr std::size_t kGap = 2;             // columns between the cells of a table
constexpr std::size_t kNarrowestCell = 12;  // wrapping into fewer columns is hard to read

// Counts characters rather than bytes of UTF-8.
std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// "[the cache](data.md#cache)" becomes "the cache (data)", with the topic of `help`; "[data.md](data.md)" becomes
// "data". Other links keep their text alone, and "**bold**" loses its stars.
std::string plain(std::string_view text) {
    static const std::regex kNamedPage(R"(\[([a-z]+)\.md\]\([^)]*\))");
    static const std::regex kSamePage(R"(\[([^\]]*)\]\(#[^)]*\))");
    static const std::regex kPage(R"(\[([^\]]*)\]\((?:[^)]*/)?((?:kinds/)?[a-z_]+)\.md[^)]*\))");
    static const std::regex kLink(R"(!?\[([^\]]*)\]\([^)]*\))");
    static const std::regex kBold(R"(\*\*([^*]+)\*\*)");
    std::string shown = std::regex_replace(std::string(text), kNamedPage, "$1");
    shown = std::regex_replace(shown, kSamePage, "$1");
    shown = std::regex_replace(shown, kPage, "$1 ($2)");
    return std::regex_replace(std::regex_replace(shown, kLink, "$1"), kBold, "$1");
}

// A word that is longer than `width` keeps a line of its own.
Lines wrap(const std::string& text, std::size_t width) {
    Lines lines;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (lines.empty() || columns_of(lines.back()) + 1 + columns_of(word) > width) {
            lines.push_back(word);
        } else {
            lines.back() += " " + word;
        }
    }
    return lines;
}

// "| a | b |": a pipe within a code span or after a backslash separates nothing.
Row cells_of(std::string_view line) {
    Row cells(1);
    bool is_code = false;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
            cells.back() += line[++i];
        } else if (line[i] == '|' && !is_code) {
            cells.emplace_back();
        } else {
            is_code = is_code != (line[i] == '`');
            cells.back() += line[i];
        }
    }
    if (trimmed(cells.back()).empty()) {
        cells.pop_back();  // after the last pipe
    }
    std::ranges::transform(cells, cells.begin(), [](const std::string& cell) { return plain(trimmed(cell)); });
    return cells;
}

bool is_rule(const Row& row) {
    return std::ranges::all_of(row, [](const std::string& cell) {
        return !cell.empty() && cell.find_first_not_of(":-") == std::string::npos;
    });
}

std::size_t longest_word(const std::string& text) {
    std::size_t longest = 1;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        longest = std::max(longest, columns_of(word));
    }
    return longest;
}

// Narrows the widest column until all fit. No column becomes narrower than its longest word.
std::vector<std::size_t> column_widths(const std::vector<Row>& rows, std::size_t width) {
    std::vector<std::size_t> widths;
    std::vector<std::size_t> least;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 1);
        least.resize(widths.size(), kNarrowestCell);
        for (std::size_t i = 0; i < row.size() && !is_rule(row); ++i) {
            widths[i] = std::max(widths[i], columns_of(row[i]));
            least[i] = std::max(least[i], longest_word(row[i]));
        }
    }
    for (std::size_t total = std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1)); total > width;
         --total) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (widths[i] > least[i] && (widest == widths.size() || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        if (widest == widths.size()) {
            break;
        }
        --widths[widest];
    }
    return widths;
}

std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(width - std::min(width, columns_of(text)), ' ');
}

class Page {
public:
    explicit Page(const PageLayout& layout) : layout_(layout) {}

    void add(std::string_view line) {
        const std::string_view bare = trimmed(line);
        if (bare.starts_with("```")) {
            finish_block();
            is_code_ = !is_code_;
            separate();
        } else if (is_code_) {
            text_ += line.empty() ? "\n" : "    " + std::string(line) + "\n";
        } else if (bare.starts_with("|")) {
            if (table_.empty()) {
                finish_block();
            }
            table_.push_back(cells_of(bare));
        } else if (bare.empty() || bare.starts_with("<!--")) {
            finish_block();
            separate();
        } else if (bare.starts_with("#")) {
            finish_block();
            add_heading(plain(trimmed(bare.substr(bare.find_first_not_of('#')))));
        } else {
            add_prose(line);
        }
    }

    std::string finish() {
        finish_block();
        return text_.substr(0, text_.find_last_not_of('\n') + 1) + "\n";
    }

private:
    void separate() {
        if (!text_.empty() && !text_.ends_with("\n\n")) {
            text_ += "\n";
        }
    }

    void add_heading(const std::string& heading) {
        separate();
        text_ += (layout_.is_bold ? "\x1b[1m" + heading + "\x1b[0m" : heading) + "\n\n";
    }

    // A list item starts a paragraph whose other lines are indented by its mark.
    void add_prose(std::string_view line) {
        static const std::regex kItem(R"(^( *)([-*]|[0-9]+\.) +)");
        std::match_results<std::string_view::const_iterator> item;
        if (std::regex_search(line.begin(), line.end(), item, kItem)) {
            finish_block();
            mark_ = item[1].str() + item[2].str() + " ";
            line.remove_prefix(static_cast<std::size_t>(item.length(0)));
        } else if (!table_.empty()) {
            finish_block();
        }
        paragraph_ += std::string(trimmed(line)) + " ";
    }

    void finish_block() {
        if (!table_.empty()) {
            add_table();
        }
        if (!paragraph_.empty()) {
            for (const std::string& line : wrap(plain(paragraph_), layout_.width - mark_.size())) {
                text_ += mark_ + line + "\n";
                mark_.assign(mark_.size(), ' ');
            }
        }
        table_.clear();
        paragraph_.clear();
        mark_.clear();
    }

    void add_table() {
        const std::vector<std::size_t> widths = column_widths(table_, layout_.width);
        const bool has_tall_rows = std::ranges::any_of(table_, [&](const Row& row) {
            return std::ranges::any_of(row, [&](const std::string& cell) {
                return columns_of(cell) > widths[static_cast<std::size_t>(&cell - row.data())];
            });
        });
        for (const Row& row : table_) {
            if (is_rule(row)) {
                for (std::size_t i = 0; i < widths.size(); ++i) {
                    text_ += (i > 0 ? std::string(kGap, ' ') : "") + std::string(widths[i], '-');
                }
                text_ += "\n";
                continue;
            }
            add_row(row, widths);
            text_ += has_tall_rows && &row != &table_.front() && &row != &table_.back() ? "\n" : "";
        }
    }

    void add_row(const Row& row, const std::vector<std::size_t>& widths) {
        std::vector<Lines> cells;
        std::size_t height = 1;
        for (std::size_t i = 0; i < row.size(); ++i) {
            cells.push_back(wrap(row[i], widths[i]));
            height = std::max(height, cells.back().size());
        }
        for (std::size_t y = 0; y < height; ++y) {
            std::string line;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                line += padded(y < cells[i].size() ? cells[i][y] : "", widths[i]) + std::string(kGap, ' ');
            }
            text_ += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        }
    }

    PageLayout layout_;
    std::string text_;
    std::string paragraph_;
    std::string mark_;  // "- " before the first line of a list's item
    std::vector<Row> table_;
    bool is_code_ = false;
};

}  // namespace

std::string lay_out_page(std::string_view markdown, const PageLayout& layout) {
    Page page(layout);
    std::istringstream lines{std::string(markdown)};
    for (std::string line; std::getline(lines, line);) {
        page.add(line);
    }
    return page.finish();
}

}  // namespace sluice::cli
