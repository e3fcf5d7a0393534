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

}  // namespace

Investigation investigate(Evidence evidence, const Measure& measure,
                          const std::function<bool(std::size_t variants)>& has_time) {
    Investigation investigation{.evidence = std::move(evidence)};
    while (true) {
        Proposals proposals = next_proposals(investigation.evidence);
        investigation.skipped = std::move(proposals.skipped);
        if (proposals.wanted.empty()) {
            break;
        }
        std::size_t count = std::min(kMostAtOnce, proposals.wanted.size());
        while (count > 0 && !has_time(count)) {
            --count;
        }
        if (count == 0) {
            for (const Variant& variant : proposals.wanted) {
                investigation.unfinished.push_back(variant.name);
            }
            break;
        }
        proposals.wanted.resize(count);
        for (Result& result : measure(proposals.wanted)) {
            investigation.evidence.results.push_back(std::move(result));
        }
    }
    return investigation;
}

}  // namespace sluice::diagnose
