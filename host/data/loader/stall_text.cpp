#include "data/loader/stall_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/clock.hpp"

namespace sluice::data {

std::string seconds_text(double seconds) {
    return seconds < 10.0 ? fmt::format("{:.1f}", std::max(seconds, 0.1)) : fmt::format("{:.0f}", seconds);
}

void add_place(const StageTimes& times, std::span<const std::string> stages, std::string_view what,
               std::vector<std::string>& places) {
    if (const auto place = times.place()) {
        places.push_back(fmt::format("a thread is at '{}' of {} {} for {} s{}", stages[place->stage], what,
                                     place->index, seconds_text(now() - place->since),
                                     place->name.empty() ? "" : " (" + place->name + ")"));
    }
}

std::string places_text(const std::vector<std::string>& places) {
    return places.empty() ? "no thread is working on a sample" : fmt::format("{}", fmt::join(places, ", "));
}

}  // namespace sluice::data
