#include "affix.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace sluice::shared_files {
namespace {

// Replaces the first `from` in a name by `to`. If `from` is empty, adds `to` at the start or end.
struct Rule {
    std::string from;
    std::string to;
    bool is_at_start = false;
    bool is_at_end = false;

    [[nodiscard]] std::string applied(const std::string& name) const {
        const std::size_t at = is_at_end     ? name.size() - std::min(from.size(), name.size())
                               : is_at_start ? 0
                                             : name.find(from);
        const bool is_anywhere = from.empty() && !is_at_start && !is_at_end;
        if (is_anywhere || at == std::string::npos || name.compare(at, from.size(), from) != 0) {
            return {};
        }
        return name.substr(0, at) + to + name.substr(at + from.size());
    }
};

std::size_t equal_at_start(std::string_view a, std::string_view b) {
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

std::size_t equal_at_end(std::string_view a, std::string_view b) {
    std::size_t count = 0;
    while (count < std::min(a.size(), b.size()) && a[a.size() - 1 - count] == b[b.size() - 1 - count]) {
        ++count;
    }
    return count;
}

Rule rule_of(const std::string& a, const std::string& b) {
    const std::size_t start = equal_at_start(a, b);
    const std::size_t end = equal_at_end(std::string_view(a).substr(start), std::string_view(b).substr(start));
    return {.from = a.substr(start, a.size() - start - end),
            .to = b.substr(start, b.size() - start - end),
            .is_at_start = start == 0,
            .is_at_end = end == 0};
}

// The name in `others` with the most in common, which is most likely the partner.
const std::string& most_alike(const std::string& name, std::span<const std::string> others) {
    const auto unlike = [&](const std::string& other) {
        const Rule rule = rule_of(name, other);
        return rule.from.size() + rule.to.size();
    };
    return *std::ranges::min_element(others, {}, unlike);
}

}  // namespace

std::optional<Affix> find_affix(std::span<const std::string> first, std::span<const std::string> second) {
    constexpr std::size_t kTried = 4;  // number of names to derive a rule from
    constexpr std::size_t kMostNames = 100'000;
    if (first.empty() || second.empty() || second.size() > kMostNames) {
        return std::nullopt;
    }
    const std::set<std::string_view> known(second.begin(), second.end());
    std::optional<Affix> best;
    for (const std::string& name : first.first(std::min(kTried, first.size()))) {
        const Rule rule = rule_of(name, most_alike(name, second));
        const auto has_partner = [&](const std::string& one) { return known.contains(rule.applied(one)); };
        const auto count = static_cast<std::size_t>(std::ranges::count_if(first, has_partner));
        if (count > 0 && (!best || count > best->count)) {
            const std::string& example = *std::ranges::find_if(first, has_partner);
            best = Affix{example, rule.applied(example), count};
        }
    }
    if (!best || 2 * best->count < std::min(first.size(), second.size())) {
        return std::nullopt;
    }
    // A single pair may be two names that are similar by chance.
    const Rule rule = rule_of(best->first, best->second);
    const bool is_added = rule.from.empty() || rule.to.empty();
    const bool has_common_part = !rule.is_at_start || !rule.is_at_end;
    return has_common_part && (is_added || best->count > 1) ? best : std::nullopt;
}

}  // namespace sluice::shared_files
