#include "watch/graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace sluice::watch {
namespace {

constexpr int kLevels = 8;  // of a letter
constexpr std::array<const char*, kLevels + 1> kBlocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<const char*, kLevels + 1> kAscii{" ", ".", ".", ":", ":", "|", "|", "#", "#"};

const char* letter(int level, Letters letters) {
    const auto index = static_cast<std::size_t>(std::clamp(level, 0, kLevels));
    return letters == Letters::blocks ? kBlocks[index] : kAscii[index];
}

// The mean of those that are numbers; NaN without any.
double mean_of(const std::vector<double>& values, std::size_t begin, std::size_t end) {
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
        if (std::isfinite(values[i])) {
            sum += values[i];
            count += 1.0;
        }
    }
    return count > 0.0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> groups_of(const std::vector<double>& values, std::size_t most) {
    const std::size_t count = std::min(most, values.size());
    std::vector<double> means;
    for (std::size_t i = 0; i < count; ++i) {
        means.push_back(mean_of(values, i * values.size() / count, (i + 1) * values.size() / count));
    }
    return means;
}

}  // namespace

std::string bar(double share, int columns, Letters letters) {
    const double filled = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) * columns : 0.0;
    std::string text;
    for (int column = 0; column < columns; ++column) {
        const double part = std::clamp(filled - column, 0.0, 1.0);
        text += letters == Letters::blocks ? (part >= 0.5 ? "█" : "░") : (part >= 0.5 ? "#" : "-");
    }
    return text;
}

std::vector<std::string> columns_graph(const std::vector<double>& values, int columns, int lines, bool from_zero,
                                       Letters letters) {
    std::vector<std::string> graph(static_cast<std::size_t>(std::max(0, lines)));
    if (columns <= 0) {
        return graph;
    }
    const std::vector<double> heights = groups_of(values, static_cast<std::size_t>(columns));
    double least = from_zero ? 0.0 : std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    for (const double height : heights) {
        if (std::isfinite(height)) {
            least = std::min(least, height);
            most = std::max(most, height);
        }
    }
    const double range = most > least ? most - least : 1.0;
    for (const double height : heights) {
        // The least value has the lowest letter, so that it is seen.
        const int level = std::isfinite(height)
                              ? 1 + static_cast<int>(std::lround((height - least) / range * (lines * kLevels - 1)))
                              : 0;
        for (int line = 0; line < lines; ++line) {
            graph[static_cast<std::size_t>(line)] += letter(level - (lines - 1 - line) * kLevels, letters);
        }
    }
    return graph;
}

}  // namespace sluice::watch
