#include "watch/frame.hpp"

#include <algorithm>

#include "base/control.hpp"
#include "base/text/columns.hpp"

namespace sluice::watch {
void Frame::put(int line, int column, std::string_view text, Style style) {
    if (line < 0 || line >= height() || column < 0 || column >= columns_) {
        return;
    }
    lines_[static_cast<std::size_t>(line)].push_back(
        {.column = column, .text = cut(shown(text), columns_ - column), .style = style});
}

std::string Frame::text() const {
    std::string all;
    for (std::vector<Span> spans : lines_) {
        std::ranges::stable_sort(spans, {}, &Span::column);
        std::string line;
        for (const Span& span : spans) {
            line = cut(line, span.column);
            line.append(static_cast<std::size_t>(std::max(0, span.column - columns_of(line))), ' ');
            line += span.text;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        all += line + "\n";
    }
    return all;
}

}  // namespace sluice::watch
