// Some lines on a terminal, mostly one, that say what goes on, and are wiped in the end.
#pragma once

#include <cstddef>
#include <string>

namespace sluice::cli {

class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    // In place of what was shown before. A line that the terminal is too narrow for is cut off.
    void show(const std::string& text) const;

private:
    bool is_shown_;
    mutable std::ptrdiff_t below_ = 0;  // lines of it below its first
};

}  // namespace sluice::cli
