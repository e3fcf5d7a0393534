// Writes progress to the standard error: on a terminal a last line that is rewritten in place, elsewhere plain lines.
#pragma once

#include <string>
#include <vector>

namespace sluice::observers {

// A part of a line. If the terminal is too narrow, the parts with the highest rank are omitted first; rank 0 stays.
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
    // Writes a line that stays.
    void print(const std::string& line);

private:
    bool is_terminal_;
};

// Joins parts with two spaces. Omits parts of the highest rank until the line fits into `width`; if only rank 0 is
// left, cuts the line.
std::string join(std::vector<Part> parts, std::size_t width);

}  // namespace sluice::observers
