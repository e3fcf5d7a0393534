#include "profile/start_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sluice::profile {

void StartParts::end(std::string_view name) {
    const double time = now();
    parts_.emplace_back(name, time - began_);
    began_ = time;
}

std::string StartParts::text() const {
    constexpr double kLeast = 0.01;
    auto parts = parts_;
    std::ranges::stable_sort(parts, std::ranges::greater{}, [](const auto& part) { return part.second; });
    const double all = std::accumulate(parts.begin(), parts.end(), 0.0,
                                       [](double sum, const auto& part) { return sum + part.second; });
    std::string text;
    for (const auto& [name, seconds] : parts) {
        if (seconds >= kLeast * all) {
            text += fmt::format("{}{} {:.2f} s", text.empty() ? "" : ", ", name, seconds);
        }
    }
    return text;
}

}  // namespace sluice::profile
