#include "diagnose/verdict/verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sluice::diagnose {
namespace {

double gain_of(const Finding& finding) { return finding.without.is_known() ? finding.without.gain() : 1.0; }

double share_of_limit(const Facts& facts) {
    double seconds = 0.0;
    double limit = 0.0;
    for (const Operation& operation : facts.operations) {
        if (operation.limit > 0.0) {
            seconds += operation.seconds;
            limit += std::min(operation.limit, operation.seconds);
        }
    }
    return seconds > 0.0 ? limit / seconds : 0.0;
}

// "; 'batch x4' gains 9 % [7, 11], and changes what is learnt": the best change that is not worth advice.
std::string best_small_gain(const Evidence& evidence) {
    const Result* best = nullptr;
    for (const Result& result : evidence.results) {
        const bool is_change = result.variant.change != ChangeClass::probe;
        if (is_change && is_gain(&result.ratio, kWorthwhile) &&
            (best == nullptr || result.ratio.value < best->ratio.value)) {
            best = &result;
        }
    }
    return best == nullptr ? std::string()
                           : fmt::format("; '{}' gains {} ({})", best->variant.name, gain_text(best->ratio),
                                         name_of(best->variant.change));
}

std::string sentence_at_limit(const Evidence& evidence, double limit) {
    const Facts& facts = evidence.facts;
    const double computes = seconds_of(facts, profile::Stage::forward) + seconds_of(facts, profile::Stage::backward) +
                            seconds_of(facts, profile::Stage::optimizer);
    const std::string reached =
        limit > 0.0 ? fmt::format(", at {:.0f} % of the peak rates of this machine", 100.0 * limit) : "";
    return fmt::format(
        "The training is at the limit of its device: the network takes {:.0f} % of the time{}. No change that keeps "
        "what is learnt gains more than {:.0f} %, and none of the others more than {:.0f} %{}.",
        100.0 * share_of(facts, computes), reached, 100.0 * kWorthwhile, 100.0 * kWorthOtherResults,
        best_small_gain(evidence));
}

std::string sentence_of(const Finding& first) {
    if (!first.without.is_known()) {
        return fmt::format("Attention: {}.", first.sentence);
    }
    return fmt::format("The limit is this: {}. It costs {} of the time.", first.sentence, gain_text(first.without));
}

// The classes in which a fix is looked for first: a change that keeps all bits before one that changes the results.
bool comes_before(const Fix& a, const Fix& b) {
    const bool a_changes = a.variant.change == ChangeClass::other_results;
    const bool b_changes = b.variant.change == ChangeClass::other_results;
    return a_changes != b_changes ? b_changes : a.ratio.value < b.ratio.value;
}

// True if a fix saves most of what the finding costs.
bool is_mended(const Finding& finding) {
    constexpr double kMost = 0.5;
    return !finding.fixes.empty() && finding.fixes.front().ratio.gain() >= kMost * gain_of(finding);
}

std::string missing_of(const std::vector<Finding>& findings, const std::vector<std::string>& unfinished) {
    std::vector<std::string> reasons;
    if (!findings.empty() && deciding_ratio(findings.front()).is_known() &&
        !deciding_ratio(findings.front()).is_sure()) {
        reasons.emplace_back("the interval of the gain is too wide; measure longer");
    }
    // Once the cause and a way out are known, the rest would only add to them.
    const bool is_found = !findings.empty() && (!findings.front().without.is_known() || is_mended(findings.front()));
    if (!unfinished.empty() && !is_found) {
        reasons.push_back(fmt::format("the budget had no time for: {}", fmt::join(unfinished, ", ")));
    }
    return fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace

const Ratio& deciding_ratio(const Finding& finding) {
    return finding.fixes.empty() ? finding.without : finding.fixes.front().ratio;
}

std::string_view deciding_result(const Finding& finding) {
    return finding.fixes.empty() ? finding.probe : finding.fixes.front().variant.name;
}

Verdict verdict_of(const Evidence& evidence, const std::vector<std::string>& unfinished) {
    Verdict verdict;
    for (const Topic& topic : topics()) {
        topic.explain(evidence, verdict.findings);
    }
    std::ranges::stable_sort(verdict.findings, std::ranges::greater{}, gain_of);
    for (Finding& finding : verdict.findings) {
        std::ranges::stable_sort(finding.fixes, comes_before);
    }
    verdict.share_of_limit = share_of_limit(evidence.facts);
    if (!verdict.findings.empty()) {
        verdict.sentence = sentence_of(verdict.findings.front());
    } else if (unfinished.empty()) {
        verdict.sentence = sentence_at_limit(evidence, verdict.share_of_limit);
    } else {
        verdict.sentence = "No limit was found in the time that the budget allows.";
    }
    verdict.missing = missing_of(verdict.findings, unfinished);
    return verdict;
}

}  // namespace sluice::diagnose
