#include "registry/manifest/version.hpp"

#include <algorithm>
#include <compare>

namespace sluice::registry {
namespace {

constexpr std::size_t kLongestVersion = 64;

struct Version {
    std::string_view numbers;
    std::string_view before;  // pre-release with its '-', such as "-rc1"
    std::string_view build;   // build with its '+'
};

Version split(std::string_view text) {
    const std::size_t plus = std::min(text.find('+'), text.size());
    const std::size_t dash = std::min(text.substr(0, plus).find('-'), plus);
    return {text.substr(0, dash), text.substr(dash, plus - dash), text.substr(plus)};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// True if the text is words of `is_part` characters joined by single characters of `between`.
template <class IsPart>
bool are_joined(std::string_view text, std::string_view between, IsPart is_part) {
    bool follows_part = false;
    for (const char c : text) {
        if (!is_part(c) && !(follows_part && between.find(c) != std::string_view::npos)) {
            return false;
        }
        follows_part = is_part(c);
    }
    return follows_part;
}

bool are_words(std::string_view marked) {
    return marked.empty() || are_joined(marked.substr(1), ".-", [](char c) { return is_digit(c) || is_letter(c); });
}

// The number at the start of the text, or its first letter.
std::string_view first_run(std::string_view text) {
    const auto end = std::ranges::find_if_not(text, is_digit);
    return text.substr(0, std::max<std::size_t>(1, static_cast<std::size_t>(end - text.begin())));
}

std::strong_ordering compare_runs(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        std::string_view left = first_run(a);
        std::string_view right = first_run(b);
        a.remove_prefix(left.size());
        b.remove_prefix(right.size());
        if (is_digit(left.front()) && is_digit(right.front())) {
            left.remove_prefix(std::min(left.find_first_not_of('0'), left.size()));
            right.remove_prefix(std::min(right.find_first_not_of('0'), right.size()));
            if (left.size() != right.size()) {
                return left.size() <=> right.size();
            }
        }
        if (const std::strong_ordering order = left <=> right; std::is_neq(order)) {
            return order;
        }
    }
    return a.size() <=> b.size();
}

}  // namespace

bool is_version(std::string_view text) {
    const Version version = split(text);
    return text.size() <= kLongestVersion && are_joined(version.numbers, ".", is_digit) && are_words(version.before) &&
           are_words(version.build);
}

bool is_older(std::string_view a, std::string_view b) {
    const Version left = split(a);
    const Version right = split(b);
    std::strong_ordering order = compare_runs(left.numbers, right.numbers);
    if (std::is_eq(order)) {
        order = left.before.empty() <=> right.before.empty();  // a pre-release is older than its version
    }
    if (std::is_eq(order)) {
        order = compare_runs(left.before, right.before);
    }
    return std::is_lt(std::is_eq(order) ? compare_runs(left.build, right.build) : order);
}

}  // namespace sluice::registry
