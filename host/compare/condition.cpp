#include "compare/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/text/nearest.hpp"

namespace sluice::compare {
namespace {

std::string trimmed(const std::string& text) {
    constexpr const char* kSpace = " \t";
    const std::size_t begin = text.find_first_not_of(kSpace);
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
    throw Error(Exit::config,
                fmt::format("--fail-if '{}': {}; right are 'step_seconds > 1.05x' (a ratio to the first run), "
                            "'step_seconds > 5%' and 'validation.psnr < -0.1' (a difference)",
                            shown(text), why));
}

Estimate estimate_of(const Condition& condition, const Figure& figure, std::size_t run, const std::string& name) {
    if (!figure.runs[run].is_known()) {
        throw Error(Exit::config,
                    fmt::format("--fail-if '{}': {} has no {}", shown(condition.text), name, figure.name));
    }
    return figure.runs[run];
}

}  // namespace

Condition parse_condition(const std::string& text) {
    const std::size_t sign = text.find_first_of("<>");
    if (sign == std::string::npos) {
        refuse(text, "it has neither > nor <");
    }
    Condition condition{.text = text, .figure = trimmed(text.substr(0, sign)), .is_above = text[sign] == '>'};
    if (condition.figure.empty()) {
        refuse(text, "there is no figure before the sign");
    }
    std::string bound = trimmed(text.substr(sign + 1));
    const bool is_percent = bound.ends_with('%');
    const bool is_ratio = bound.ends_with('x');
    if (is_percent || is_ratio) {
        bound = trimmed(bound.substr(0, bound.size() - 1));
    }
    const char* const end = bound.data() + bound.size();
    const char* const begin = bound.data() + (bound.starts_with('+') ? 1 : 0);
    const auto [stop, problem] = std::from_chars(begin, end, condition.bound);
    if (begin == end || (bound.starts_with('+') && *begin == '-') || problem != std::errc() || stop != end ||
        !std::isfinite(condition.bound)) {
        refuse(text, fmt::format("'{}' is no number", shown(trimmed(text.substr(sign + 1)))));
    }
    if (is_percent || is_ratio) {
        condition.scale = Condition::Scale::ratio;
        condition.bound = is_percent ? 1.0 + condition.bound / 100.0 : condition.bound;
        if (condition.bound <= 0.0) {
            refuse(text, fmt::format("a ratio of {} is not possible", condition.bound));
        }
    }
    return condition;
}

bool is_met(const Condition& condition, const std::vector<Figure>& figures, std::size_t first, std::size_t other,
            const std::string& name) {
    const auto figure = std::ranges::find(figures, condition.figure, &Figure::name);
    if (figure == figures.end()) {
        std::vector<std::string> names;
        std::ranges::transform(figures, std::back_inserter(names), &Figure::name);
        const std::string advice =
            did_you_mean(condition.figure, names)
                .value_or(names.empty() ? "" : fmt::format("; one of: {}", fmt::join(names, ", ")));
        throw Error(Exit::config, fmt::format("--fail-if '{}': the runs have no figure '{}'{}", shown(condition.text),
                                              shown(condition.figure), advice));
    }
    const Estimate before = estimate_of(condition, *figure, first, "the first run");
    const Estimate after = estimate_of(condition, *figure, other, name);
    if (before.is_lost || after.is_lost) {
        return !before.is_lost;
    }
    const Contrast change = contrast(before, after);
    const bool is_ratio = condition.scale == Condition::Scale::ratio;
    if (is_ratio && std::isnan(change.ratio.value)) {
        throw Error(Exit::config,
                    fmt::format("--fail-if '{}': {} has no ratio to the first run, because one of both is "
                                "not positive; give a difference",
                                shown(condition.text), condition.figure));
    }
    const Interval& interval = is_ratio ? change.ratio : change.difference;
    return condition.is_above ? interval.low > condition.bound : interval.high < condition.bound;
}

}  // namespace sluice::compare
