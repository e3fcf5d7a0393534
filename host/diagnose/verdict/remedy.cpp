#include "diagnose/verdict/remedy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace sluice::diagnose {
namespace {

std::string_view key_of(std::string_view set) { return set.substr(0, set.find('=')); }

// True if `a` is `b` or has it within: "data.train.map" has "data.train.map.0.budget".
bool contains_key(std::string_view a, std::string_view b) {
    return b.starts_with(a) && (b.size() == a.size() || b[a.size()] == '.');
}

// True if both change a key, so that the second would undo the first.
bool has_common_key(const Fix& a, const Fix& b) {
    const std::vector<std::string> others = lasting_sets(b.variant);
    return std::ranges::any_of(lasting_sets(a.variant), [&](const std::string& set) {
        return std::ranges::any_of(others, [&](const std::string& other) {
            return contains_key(key_of(set), key_of(other)) || contains_key(key_of(other), key_of(set));
        });
    });
}

// True if the training learns the same, and writes all that it wrote before.
bool is_free(const Variant& variant) { return variant.change != ChangeClass::other_results && !variant.loses_output; }

}  // namespace

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
            return (allows_other_results || is_free(one.variant)) &&
                   std::ranges::none_of(remedy.fixes, [&](const Fix& other) { return has_common_key(one, other); });
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
        all.starts_anew = all.starts_anew || fix.variant.starts_anew;
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
