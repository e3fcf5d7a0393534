// One line on a terminal that says what goes on, and is wiped in the end.
#pragma once

#include <string>

namespace sluice::cli {

class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    void show(const std::string& text) const;

private:
    bool is_shown_;
};

}  // namespace sluice::cli
