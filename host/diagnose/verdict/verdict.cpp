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

std::string sentence_at_limit(const Evidence& evidence, double limit) {
    const Facts& facts = evidence.facts;
    const double computes = seconds_of(facts, profile::Stage::forward) + seconds_of(facts, profile::Stage::backward) +
                            seconds_of(facts, profile::Stage::optimizer);
    const std::string reached =
        limit > 0.0 ? fmt::format(", at {:.0f} % of the peak rates of this machine", 100.0 * limit) : "";
    return fmt::format(
        "The training is at the limit of its device: the network takes {:.0f} % of the time{}. Nothing that "
        "was tried gains more than {:.0f} %.",
        100.0 * share_of(facts, computes), reached, 100.0 * kWorthwhile);
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

std::string missing_of(const std::vector<Finding>& findings, const std::vector<std::string>& unfinished) {
    std::vector<std::string> reasons;
    if (!findings.empty() && deciding_ratio(findings.front()).is_known() &&
        !deciding_ratio(findings.front()).is_sure()) {
        reasons.emplace_back("the interval of the gain is too wide; measure longer");
    }
    // Once the cause and a way out are known, the rest would only add to them.
    const bool is_found =
        !findings.empty() && (!findings.front().without.is_known() || !findings.front().fixes.empty());
    if (!unfinished.empty() && !is_found) {
        reasons.push_back(fmt::format("the budget had no time for: {}", fmt::join(unfinished, ", ")));
    }
    return fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace

const Ratio& deciding_ratio(const Finding& finding) {
    return finding.fixes.empty() ? finding.without : finding.fixes.front().ratio;
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
    verdict.sentence = verdict.findings.empty() ? sentence_at_limit(evidence, verdict.share_of_limit)
                                                : sentence_of(verdict.findings.front());
    verdict.missing = missing_of(verdict.findings, unfinished);
    return verdict;
}

}  // namespace sluice::diagnose
