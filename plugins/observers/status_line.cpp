// Writes progress to the standard error.
#include "status_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace sluice::observers {
namespace {

constexpr const char* kClearLine = "\r\x1b[K";

bool can_rewrite() {
    const char* terminal = std::getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

// Returns the columns of the terminal. They are read each time, because windows are resized.
std::size_t columns() {
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

// Writes in one call, so that lines of other threads do not come in between. A failure cannot be reported anywhere.
void write(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

std::string join_all(const std::vector<Part>& parts) {
    std::string line;
    for (const Part& part : parts) {
        line += (line.empty() ? "" : "  ") + part.text;
    }
    return line;
}

}  // namespace

std::string join(std::vector<Part> parts, std::size_t width) {
    std::string line = join_all(parts);
    while (line.size() > width) {
        const auto least =
            std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.rank < b.rank; });
        if (least == parts.end() || least->rank == 0) {
            line.resize(width);
            break;
        }
        parts.erase(least);
        line = join_all(parts);
    }
    return line;
}

StatusLine::StatusLine() : is_terminal_(can_rewrite()) {}

void StatusLine::show(std::vector<Part> parts) {
    if (is_terminal_) {
        // The last column stays free: many terminals wrap when it is filled.
        write(kClearLine + join(std::move(parts), columns() - 1));
    } else {
        write(join(std::move(parts), std::numeric_limits<std::size_t>::max()) + "\n");
    }
}

void StatusLine::print(const std::string& line) { write((is_terminal_ ? kClearLine : "") + line + "\n"); }

}  // namespace sluice::observers
