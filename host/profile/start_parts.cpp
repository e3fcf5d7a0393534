#include "profile/start_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::profile {

void StartParts::end(std::string_view name) {
    const double time = now();
    parts_.emplace_back(name, time - began_);
    began_ = time;
}

std::string StartParts::text() const {
    auto parts = parts_;
    std::ranges::sort(parts, std::ranges::greater{}, [](const auto& part) { return part.second; });
    std::string text;
    for (const auto& [name, seconds] : parts) {
        text += fmt::format("{}{} {:.2f} s", text.empty() ? "" : ", ", name, seconds);
    }
    return text;
}

}  // namespace sluice::profile
