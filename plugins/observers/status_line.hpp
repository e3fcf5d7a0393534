// The standard error as a place for progress: on a terminal a last line that is rewritten in place, elsewhere lines.
#pragma once

#include <string>
#include <vector>

namespace sluice::observers {

// A part of a line. Where the terminal is too narrow, the parts with the highest rank are left out first; 0 stays.
struct Part {
    std::string text;
    int rank = 0;
};

class StatusLine {
public:
    StatusLine();
    [[nodiscard]] bool is_terminal() const { return is_terminal_; }
    // On a terminal: replaces the last line. Elsewhere: writes a line.
    void show(std::vector<Part> parts);
    // A line that stays.
    void print(const std::string& line);

private:
    bool is_terminal_;
};

// Two spaces between parts; those of the highest rank are left out until all fits into `width`, then it is cut.
std::string join(std::vector<Part> parts, std::size_t width);

}  // namespace sluice::observers
