#include "diagnose/verdict/remedy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace sluice::diagnose {

std::vector<std::string> lasting_sets(const Variant& variant) {
    std::vector<std::string> sets;
    std::ranges::copy_if(variant.sets, std::back_inserter(sets),
                         [](const std::string& set) { return !set.starts_with("what_if."); });
    return sets;
}

Remedy remedy_of(const Verdict& verdict, bool allows_other_results) {
    Remedy remedy;
    for (const Finding& finding : verdict.findings) {
        const auto fix = std::ranges::find_if(finding.fixes, [&](const Fix& one) {
            return allows_other_results || one.variant.change != ChangeClass::other_results;
        });
        if (fix != finding.fixes.end()) {
            remedy.fixes.push_back(*fix);
        }
    }
    return remedy;
}

Variant Remedy::variant() const {
    Variant all{.name = "all fixes", .what = "all changes together", .sets = {}, .change = ChangeClass::same_bits};
    for (const Fix& fix : fixes) {
        all.sets.insert(all.sets.end(), fix.variant.sets.begin(), fix.variant.sets.end());
        all.change = std::max(all.change, fix.variant.change);
        all.batch *= fix.variant.batch;
        all.warm_samples = std::max(all.warm_samples, fix.variant.warm_samples);
        all.is_alone = all.is_alone || fix.variant.is_alone;
    }
    return all;
}

std::vector<config::ValueChange> Remedy::changes() const {
    std::vector<config::ValueChange> changes;
    for (const Fix& fix : fixes) {
        for (const std::string& set : lasting_sets(fix.variant)) {
            changes.push_back({.set = set,
                               .comment = fmt::format("{} less time a sample, {}: {}", gain_text(fix.ratio),
                                                      name_of(fix.variant.change), fix.variant.what)});
        }
    }
    return changes;
}

}  // namespace sluice::diagnose
