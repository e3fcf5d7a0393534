#include "run/membership/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "profile/stage_clock.hpp"
#include "run/collective/timeouts.hpp"

namespace sluice::run {
namespace {

constexpr std::size_t kMostKeys = 3;  // in a message
constexpr char kUnit = '\x1f';        // separates the fields of a trait
constexpr char kRecord = '\x1e';      // ends a trait

std::string to_text(const Traits& traits) {
    std::string text;
    for (const Trait& trait : traits) {
        text += trait.what + kUnit + trait.key + kUnit + trait.value + kRecord;
    }
    return text;
}

Traits traits_of(std::string_view text) {
    Traits traits;
    while (!text.empty()) {
        const std::size_t key = text.find(kUnit);
        const std::size_t value = text.find(kUnit, key + 1);
        const std::size_t end = text.find(kRecord, value + 1);
        traits.push_back({.what = std::string(text.substr(0, key)),
                          .key = std::string(text.substr(key + 1, value - key - 1)),
                          .value = std::string(text.substr(value + 1, end - value - 1))});
        text.remove_prefix(end + 1);
    }
    return traits;
}

// Returns std::nullopt if there is no such trait.
std::optional<std::string> value_of(const Traits& traits, const Trait& like) {
    const auto found = std::ranges::find_if(
        traits, [&](const Trait& trait) { return trait.what == like.what && trait.key == like.key; });
    return found == traits.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace

std::string difference(std::size_t process, const Traits& first, const Traits& other) {
    std::string what;
    std::vector<std::string> differ;
    const auto compare = [&](const Trait& trait) {
        const std::optional<std::string> of_first = value_of(first, trait);
        const std::optional<std::string> of_other = value_of(other, trait);
        if (of_first != of_other && (what.empty() || what == trait.what)) {
            what = trait.what;
            differ.push_back(fmt::format("{}{}{}, not {}", trait.key, trait.key.empty() ? "" : " = ",
                                         of_other.value_or("nothing"), of_first.value_or("nothing")));
        }
    };
    std::ranges::for_each(first, compare);
    for (const Trait& trait : other) {
        if (!value_of(first, trait)) {
            compare(trait);
        }
    }
    if (differ.empty()) {
        return {};
    }
    std::string values;
    for (std::size_t i = 0; i < std::min(differ.size(), kMostKeys); ++i) {
        values += (i == 0 ? "" : "; ") + differ[i];
    }
    return fmt::format("process {} has another {} than process 0: {}{}", process, what, values,
                       differ.size() > kMostKeys ? fmt::format("; and {} more", differ.size() - kMostKeys) : "");
}

bool asks_any(const registry::Processes& processes, bool asks, std::string_view name) {
    const profile::StageScope stage(profile::Stage::exchange);
    return std::ranges::count(processes.gather<char>(asks ? 1 : 0, name, kRareWorkTimeout), 1) > 0;
}

void expect_same(const registry::Processes& processes, const Traits& own) {
    const std::vector<std::string> all =
        processes.gather_texts(to_text(own), "program, pipeline and data", kRareWorkTimeout);
    for (std::size_t process = 1; process < all.size(); ++process) {
        if (all[process] != all.front()) {
            throw Disagreement(Exit::config,
                               difference(process, traits_of(all.front()), traits_of(all[process])) +
                                   "; all processes of a training need the same program, pipeline and data");
        }
    }
}

}  // namespace sluice::run
