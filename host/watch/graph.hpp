// Bars and curves from letters.
#pragma once

#include <string>
#include <vector>

namespace sluice::watch {

// Terminals that do not show UTF-8 get ASCII.
enum class Letters { ascii, blocks };

// Returns `columns` letters, of which the share is filled; a share that is no number is 0.
std::string bar(double share, int columns, Letters letters);

// Returns `lines` lines of at most `columns` letters: the means of consecutive values as columns, the last at the
// right. Each column is as high as its value between 0, or the least value if `from_zero` is false, and the greatest.
// Values that are no numbers have empty columns.
std::vector<std::string> columns_graph(const std::vector<double>& values, int columns, int lines, bool from_zero,
                                       Letters letters);

}  // namespace sluice::watch
