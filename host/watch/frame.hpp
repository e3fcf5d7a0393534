// What `host watch` shows, as lines of text with styles: independent of the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::watch {

enum class Style { plain, title, faint, good, bad, busy };

struct Span {
    int column = 0;
    std::string text{};  // UTF-8 without control characters
    Style style = Style::plain;
};

// Lines of at most so many columns. What is beyond the right or the lower edge is left out.
class Frame {
public:
    Frame(int columns, int lines) : columns_(columns), lines_(static_cast<std::size_t>(lines)) {}

    [[nodiscard]] int columns() const { return columns_; }
    [[nodiscard]] int height() const { return static_cast<int>(lines_.size()); }
    // Texts of plugins and files may have control characters, which are shown as escapes.
    void put(int line, int column, std::string_view text, Style style = Style::plain);
    [[nodiscard]] const std::vector<Span>& line(int number) const { return lines_[static_cast<std::size_t>(number)]; }
    // All lines as plain text, without spaces at their ends.
    [[nodiscard]] std::string text() const;

private:
    int columns_;
    std::vector<std::vector<Span>> lines_;
};

}  // namespace sluice::watch
