// Tunes a pipeline: a diagnosis first, then a search from its remedy.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/derived_pipeline.hpp"
#include "config/spec.hpp"
#include "diagnose/trial/laboratory.hpp"
#include "diagnose/tune/search.hpp"
#include "diagnose/verdict/diagnosis.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::diagnose {

struct Tuning {
    Diagnosis diagnosis;
    Tuned tuned;

    // The changes of the pipeline file, with the measured gain; empty: the pipeline is as fast as it gets.
    [[nodiscard]] std::vector<config::ValueChange> changes() const;
};

struct TuningRequest {
    Allowed allowed{};
    std::filesystem::path prepare{};  // new folder for prepared samples; empty: none are prepared
    double end = 0.0;  // when the search has to be over, as now(); the last comparison may take some seconds more
};

Tuning tune_pipeline(const config::PipelineSpec& spec, const registry::Registry& registry, Laboratory& laboratory,
                     const TuningRequest& request);

std::string to_text(const Tuning& tuning);
std::string to_json(const Tuning& tuning);

}  // namespace sluice::diagnose
