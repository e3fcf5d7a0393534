#include "data/awaiting.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sluice::data {

void add_place(const StageTimes& times, std::span<const std::string> stages, std::string_view what,
               std::vector<std::string>& places) {
    if (const auto place = times.place()) {
        places.push_back(fmt::format("a thread is at '{}' of {} {} for {:.0f} s", stages[place->stage], what,
                                     place->index, now() - place->since));
    }
}

std::string places_text(const std::vector<std::string>& places) {
    return places.empty() ? "no thread is at a sample" : fmt::format("{}", fmt::join(places, ", "));
}

}  // namespace sluice::data
