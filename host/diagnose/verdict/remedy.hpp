// The changes of a diagnosis that belong together in one pipeline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/derived_pipeline.hpp"
#include "diagnose/verdict/verdict.hpp"

namespace sluice::diagnose {

struct Remedy {
    std::vector<Fix> fixes;  // one for each finding that has one

    [[nodiscard]] bool is_empty() const { return fixes.empty(); }
    // All changes as one variant, with those of what_if, which fill caches soon.
    [[nodiscard]] Variant variant() const;
    // The changes of the pipeline file, each with the gain that was measured.
    [[nodiscard]] std::vector<config::ValueChange> changes() const;
};

// Takes the best fix of each finding. Fixes that change what is learnt, or leave out output, are taken only if
// `allows_other_results`.
Remedy remedy_of(const Verdict& verdict, bool allows_other_results);

// The values for --set of a variant, without those of what_if.
std::vector<std::string> lasting_sets(const Variant& variant);

}  // namespace sluice::diagnose
