#include "data/chain/bad_samples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/log.hpp"

namespace sluice::data {
namespace {

std::string place_of(std::uint64_t index, const std::string& name) {
    return name.empty() ? std::to_string(index) : fmt::format("{} ({})", index, name);
}

// Returns "4 (a.jpg), 7 (b.jpg) and 3 more: not a JPEG file; 9 (c.jpg): ...": the first few reasons with the first few
// samples of each.
std::string by_reasons(std::span<const BadSample> bad) {
    constexpr std::size_t kReasons = 3;
    constexpr std::size_t kPlaces = 5;
    std::vector<std::pair<std::string, std::vector<std::string>>> groups;
    for (const BadSample& sample : bad) {
        auto group = std::ranges::find(groups, sample.reason, &decltype(groups)::value_type::first);
        if (group == groups.end()) {
            group = groups.insert(group, {sample.reason, {}});
        }
        group->second.push_back(sample.place);
    }
    std::string text;
    std::size_t reported = 0;
    for (const auto& [reason, places] : std::span(groups).first(std::min(kReasons, groups.size()))) {
        const auto first = std::span(places).first(std::min(kPlaces, places.size()));
        const std::string more =
            places.size() > kPlaces ? fmt::format(" and {} more", places.size() - kPlaces) : std::string();
        text += fmt::format("{}{}{}: {}", text.empty() ? "" : "; ", fmt::join(first, ", "), more, reason);
        reported += places.size();
    }
    return reported < bad.size() ? fmt::format("{}; and {} more for other reasons", text, bad.size() - reported) : text;
}

}  // namespace

SampleError::SampleError(Exit exit, const std::string& purpose, std::uint64_t index, const std::string& name,
                         const std::string& reason)
    : Error(exit, fmt::format("{}: sample {}: {}", purpose, place_of(index, name), reason)),
      place_(place_of(index, name)),
      reason_(reason) {}

Error found_none(std::span<const BadSample> bad, SearchEnd end, std::int64_t most) {
    std::string met = "every sample of the epoch is bad; repair them";
    if (end == SearchEnd::all_of_data) {
        met = bad.size() == 1
                  ? "the one sample of the data is bad; repair it"
                  : fmt::format("every sample of the data is bad ({} consecutive samples); repair them", bad.size());
    } else if (end == SearchEnd::too_many) {
        met =
            fmt::format("{} bad, but data.skip_bad = {}; repair them or raise data.skip_bad",
                        bad.size() == 1 ? "1 sample is" : fmt::format("{} consecutive samples are", bad.size()), most);
    }
    const std::span<const BadSample> before = bad.first(bad.size() - 1);
    const std::string others = before.empty() ? "" : ". Before it: " + by_reasons(before);
    return {Exit::data, fmt::format("{}; with it, {}{}", bad.back().what, met, others)};
}

void BadSamples::add(std::vector<BadSample> found) {
    std::ranges::stable_sort(found, {}, &BadSample::position);
    for (const BadSample& sample : found) {
        if (indices_.contains(sample.index)) {
            continue;
        }
        if (std::ssize(indices_) >= most_) {
            throw Error(Exit::data, fmt::format("{}; that makes {} bad samples, but data.skip_bad = {}; repair the "
                                                "files or raise data.skip_bad",
                                                sample.what, indices_.size() + 1, most_));
        }
        indices_.insert(sample.index);
        const std::string follows =
            sample.taken ? fmt::format("sample {} takes its place", *sample.taken) : "it is left out";
        log::warn(fmt::format("{}; {} (bad sample {} of at most {})", sample.what, follows, indices_.size(), most_));
    }
}

}  // namespace sluice::data
