#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/log.hpp"

namespace sluice::cli {

ProgressLine::ProgressLine() : is_shown_(::isatty(STDERR_FILENO) != 0 && log::level() <= log::Level::info) {}

ProgressLine::~ProgressLine() { show(""); }

void ProgressLine::show(const std::string& text) const {
    if (is_shown_) {
        fmt::print(stderr, "\r\x1b[K{}", text);
        std::fflush(stderr);
    }
}

}  // namespace sluice::cli
