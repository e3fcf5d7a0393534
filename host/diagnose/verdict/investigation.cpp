#include "diagnose/verdict/investigation.hpp"

#include <algorithm>
#include <utility>

namespace sluice::diagnose {
namespace {

constexpr std::size_t kMostAtOnce = 3;  // variants that take turns with the pipeline

Proposals next_proposals(const Evidence& evidence) {
    Proposals proposals;
    for (const Topic& topic : topics()) {
        topic.propose(evidence, proposals);
        std::erase_if(proposals.wanted, [&](const Variant& variant) { return evidence.has_tried(variant.name); });
    }
    return proposals;
}

// The first variants that take turns with the pipeline. One that drops the page cache slows down the others, so it
// comes alone.
std::vector<Variant> next_group(const std::vector<Variant>& wanted) {
    const auto cold = std::ranges::find_if(wanted, &Variant::is_cold);
    const auto before = static_cast<std::size_t>(cold - wanted.begin());
    const std::size_t count = before == 0 ? 1 : std::min({kMostAtOnce, wanted.size(), before});
    return {wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

Investigation investigate(Evidence evidence, const Measure& measure,
                          const std::function<bool(const std::vector<Variant>&)>& has_time) {
    Investigation investigation{.evidence = std::move(evidence)};
    while (true) {
        Proposals proposals = next_proposals(investigation.evidence);
        investigation.skipped = std::move(proposals.skipped);
        if (proposals.wanted.empty()) {
            break;
        }
        std::vector<Variant> group = next_group(proposals.wanted);
        while (!group.empty() && !has_time(group)) {
            group.pop_back();
        }
        if (group.empty()) {
            for (const Variant& variant : proposals.wanted) {
                investigation.unfinished.push_back(variant.name);
            }
            break;
        }
        for (Result& result : measure(group)) {
            investigation.evidence.results.push_back(std::move(result));
        }
    }
    return investigation;
}

}  // namespace sluice::diagnose
