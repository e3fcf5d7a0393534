// All that a diagnosis knows: the pipeline, the facts of its baseline, and what variants took. The decisions of
// `host diagnose` depend on nothing else, so that tests decide on stored evidence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/spec.hpp"
#include "diagnose/evidence/facts.hpp"
#include "diagnose/evidence/variant.hpp"

namespace sluice::diagnose {

struct Evidence {
    config::PipelineSpec spec;
    Facts facts;
    std::vector<Result> results{};  // in the order in which they were measured

    // Null if the variant was not tried.
    [[nodiscard]] const Result* find(std::string_view name) const;
    // Null if the variant was not measured, or could not be.
    [[nodiscard]] const Ratio* ratio_of(std::string_view name) const;
    // True if the variant was tried, whether or not it could be measured.
    [[nodiscard]] bool has_tried(std::string_view name) const;
    // The gain of a variant; 0 if it was not measured.
    [[nodiscard]] double gain(std::string_view name) const;
};

// As JSON, and back. The pipeline is stored as its TOML text. Throws Error(Exit::config) for other text; `name` begins
// the message.
std::string to_json(const Evidence& evidence);
Evidence evidence_of(std::string_view json, const std::string& name);

}  // namespace sluice::diagnose
