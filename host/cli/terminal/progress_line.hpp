// Progress on a terminal: usually one line, sometimes several, erased at the end.
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
    // Replaces the text that was shown before. Lines wider than the terminal are cut off.
    void show(const std::string& text) const;

private:
    bool is_shown_;
    mutable std::ptrdiff_t below_ = 0;  // lines of the shown text after its first
};

}  // namespace sluice::cli
