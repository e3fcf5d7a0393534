// A whole diagnosis of a pipeline: watch it, experiment, decide, and prove what was decided.
#pragma once

#include <optional>
#include <string>

#include "config/spec.hpp"
#include "diagnose/trial/laboratory.hpp"
#include "diagnose/verdict/investigation.hpp"
#include "diagnose/verdict/remedy.hpp"
#include "diagnose/verdict/verdict.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::diagnose {

// What the chosen changes gain together.
struct Proof {
    Ratio predicted;      // by the experiments
    Ratio measured;       // by trainings of the old and the new pipeline; unknown: there was no proof
    std::string failure;  // why it could not be measured; empty: it was, or was not wanted
};

struct Diagnosis {
    Investigation investigation;
    Verdict verdict;
    Remedy remedy{};
    std::optional<Proof> proof{};  // nothing: no change was chosen
    double seconds = 0.0;          // that it took, without the training of the proof
    double starting = 0.0;         // seconds until a training is warm
};

struct DiagnosisRequest {
    double end = 0.0;                   // when all but the proof has to be over, as now()
    bool allows_other_results = false;  // the remedy may change what is learnt
    bool proves = false;
};

// Throws the error of the training if it does not run.
Diagnosis diagnose_pipeline(const config::PipelineSpec& spec, const registry::Registry& registry,
                            Laboratory& laboratory, const DiagnosisRequest& request);

// One page: the verdict, its evidence, the fixes in order of gain, the proof, and the experiments.
std::string to_text(const Diagnosis& diagnosis);
// With all measurements; "evidence" is what evidence_of() reads.
std::string to_json(const Diagnosis& diagnosis);

}  // namespace sluice::diagnose
