#include "base/text/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace sluice {
namespace {

// Optimal string alignment distance: insert, delete, replace, swap neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.size()][b.size()];
}

std::size_t allowed_distance(std::string_view a, std::string_view b) {
    return std::max<std::size_t>(1, std::max(a.size(), b.size()) / 3);
}

}  // namespace

bool is_near(std::string_view word, std::string_view candidate) {
    return edit_distance(word, candidate) <= allowed_distance(word, candidate);
}

std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string> candidates) {
    const std::string* best = nullptr;
    std::size_t best_distance = 0;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance <= allowed_distance(word, candidate) && (best == nullptr || distance < best_distance)) {
            best = &candidate;
            best_distance = distance;
        }
    }
    return best == nullptr ? std::nullopt : std::optional("; did you mean '" + *best + "'?");
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
    if (const auto near = did_you_mean(word, candidates)) {
        return *near;
    }
    constexpr std::size_t kFew = 24;
    if (candidates.empty() || candidates.size() > kFew) {
        return {};
    }
    std::string list;
    for (const std::string& candidate : candidates) {
        list += (list.empty() ? "" : ", ") + candidate;
    }
    return "; one of: " + list;
}

}  // namespace sluice
