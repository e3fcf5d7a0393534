#include "cli/terminal/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/log.hpp"

namespace sluice::cli {

ProgressLine::ProgressLine() : is_shown_(::isatty(STDERR_FILENO) != 0 && log::level() <= log::Level::info) {}

ProgressLine::~ProgressLine() { show(""); }

void ProgressLine::show(const std::string& text) const {
    if (is_shown_) {
        const std::string up = below_ > 0 ? fmt::format("\x1b[{}A", below_) : "";
        fmt::print(stderr, "\r{}\x1b[J\x1b[?7l{}\x1b[?7h", up, text);
        std::fflush(stderr);
        below_ = std::ranges::count(text, '\n');
    }
}

}  // namespace sluice::cli
