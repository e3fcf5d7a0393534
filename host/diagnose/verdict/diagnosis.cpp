#include "diagnose/verdict/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "config/cache_entry.hpp"
#include "diagnose/experiments/topic.hpp"
#include "diagnose/trial/observation.hpp"

namespace sluice::diagnose {
namespace {

constexpr double kShareOfWatching = 0.1;   // of the budget
constexpr double kShortestWatching = 4.0;  // seconds
constexpr double kLongestWatching = 20.0;
constexpr double kProofSeconds = 15.0;  // of each training
constexpr double kMostProofSeconds = 30.0;
constexpr double kEpochsOfFilling = 2.0;  // until a cache is surely full
constexpr double kLongestWarming = 60.0;  // seconds that a proof waits for a cache to fill

// How long a group of variants is measured, if all experiments may take `budget` seconds.
Laboratory::Effort effort_for(double budget, double end) {
    constexpr double kGroups = 45.0;  // shares of the budget that a training takes at least and at most
    constexpr double kLongGroups = 7.0;
    return {.seconds = std::clamp(budget / kGroups, 1.0, 4.0),
            .most = std::clamp(budget / kLongGroups, 4.0, 14.0),
            .until = end};
}

Investigation experiment(Evidence evidence, Laboratory& laboratory, const Laboratory::Effort& effort, double starting) {
    const double end = effort.until;
    const auto measure = [&](const std::vector<Variant>& variants) { return laboratory.compare(variants, effort); };
    bool has_baseline = false;
    const auto has_time = [&](std::size_t variants) {
        const double trainings = static_cast<double>(variants) + 1.0;
        const double starts = static_cast<double>(variants) + (has_baseline ? 0.0 : 1.0);
        const bool has = !laboratory.is_stopped() && now() + starts * starting + trainings * effort.seconds <= end;
        has_baseline = has_baseline || has;
        return has;
    };
    return investigate(std::move(evidence), measure, has_time);
}

// The result on which the first finding rests, if its interval is too wide; else null.
Result* unsure_result(Evidence& evidence, const Verdict& verdict) {
    if (verdict.findings.empty()) {
        return nullptr;
    }
    const Ratio& ratio = deciding_ratio(verdict.findings.front());
    const auto found = std::ranges::find_if(
        evidence.results, [&](const Result& one) { return one.ratio.is_known() && one.ratio.value == ratio.value; });
    return found != evidence.results.end() && !ratio.is_sure() ? &*found : nullptr;
}

// Measures what the verdict rests on once more, if its interval is too wide and there is time.
void sharpen(Investigation& investigation, Laboratory& laboratory, const Laboratory::Effort& effort, double starting) {
    Result* const unsure =
        unsure_result(investigation.evidence, verdict_of(investigation.evidence, investigation.unfinished));
    if (unsure == nullptr || laboratory.is_stopped() || now() + starting + 2.0 * effort.seconds > effort.until) {
        return;
    }
    const Result again = laboratory.compare({unsure->variant}, effort).front();
    unsure->ratio = pooled(unsure->ratio, again.ratio);
    unsure->seconds += again.seconds;
}

// The gain of the remedy by the experiments: that of its only change, or of all together, which is measured now.
Ratio predict(const Remedy& remedy, Laboratory& laboratory) {
    return remedy.fixes.size() == 1
               ? remedy.fixes.front().ratio
               : laboratory.compare({remedy.variant()}, {.until = now() + kMostProofSeconds}).front().ratio;
}

// True if the training has a cache that all samples fit into, and more than one epoch in which it is full.
bool fills_cache(const Evidence& evidence) {
    return std::ranges::any_of(evidence.spec.data.train.map, config::is_cache) && evidence.spec.train.epochs > 1 &&
           !is_cache_too_small(evidence);
}

// Trains the old and the new pipeline by turns, in new processes. If a cache takes long to fill, both repeat some
// samples, as the experiments did.
Result prove(const Remedy& remedy, const Evidence& evidence, const std::vector<std::string>& fixed,
             Laboratory& laboratory) {
    const Facts& facts = evidence.facts;
    Variant fixed_pipeline = remedy.variant();
    const double epoch = facts.epoch_samples / std::max(facts.samples, 1.0) * facts.seconds;
    if (epoch <= kLongestWarming) {
        const double filling = kEpochsOfFilling * facts.epoch_samples;
        fixed_pipeline.sets = lasting_sets(fixed_pipeline);
        fixed_pipeline.warm_samples = fixed_pipeline.warm_samples > 0.0 ? filling : 0.0;
        laboratory.fill_caches(fills_cache(evidence) ? filling : 0.0, 0);
    }
    laboratory.fix(fixed);
    return laboratory
        .compare({fixed_pipeline}, {.seconds = kProofSeconds,
                                    .most = kMostProofSeconds,
                                    .until = now() + 2.0 * kLongestWarming + 4.0 * kMostProofSeconds})
        .front();
}

// True if most samples were still made for the first time while the training was watched.
bool is_cache_empty(const Facts& facts) {
    constexpr double kMany = 0.3;
    return !facts.input.empty() && facts.input.front().calls > kMany;
}

// The settings of the input that the autotuner chose, which would take the pauses for waiting.
std::vector<std::string> fixed_input(const Evidence& evidence) {
    const config::DataSpec& data = evidence.spec.data;
    std::vector<std::string> fixed;
    if (!data.workers) {
        fixed.push_back(fmt::format("data.workers={}", std::max<std::int64_t>(evidence.facts.workers, 1)));
    }
    if (!data.prefetch) {
        fixed.push_back(fmt::format("data.prefetch={}", std::max<std::int64_t>(evidence.facts.prefetch, 1)));
    }
    return fixed;
}

}  // namespace

Diagnosis diagnose_pipeline(const config::PipelineSpec& spec, const registry::Registry& registry,
                            Laboratory& laboratory, const DiagnosisRequest& request) {
    const double began = now();
    const double watching = std::clamp(kShareOfWatching * (request.end - began), kShortestWatching, kLongestWatching);
    Evidence evidence{.spec = spec, .facts = facts_of(laboratory.watch(watching), spec, registry)};
    const double starting = now() - began - watching;  // seconds that a training takes until it is warm
    if (fills_cache(evidence)) {
        laboratory.fill_caches(samples_until_full(evidence.facts), repeated_samples(evidence.facts));
        if (is_cache_empty(evidence.facts)) {
            evidence.facts = facts_of(laboratory.watch(watching), spec, registry);
        }
    }
    const std::vector<std::string> fixed = fixed_input(evidence);
    laboratory.fix(fixed);
    const Laboratory::Effort effort = effort_for(request.end - began, request.end);
    Diagnosis diagnosis{.investigation = experiment(std::move(evidence), laboratory, effort, starting), .verdict = {}};
    sharpen(diagnosis.investigation, laboratory, effort, starting);
    diagnosis.verdict = verdict_of(diagnosis.investigation.evidence, diagnosis.investigation.unfinished);
    diagnosis.remedy = remedy_of(diagnosis.verdict, request.allows_other_results);
    if (!diagnosis.remedy.is_empty() && !laboratory.is_stopped()) {
        diagnosis.proof = Proof{.predicted = predict(diagnosis.remedy, laboratory), .measured = {}, .failure = {}};
    }
    diagnosis.seconds = now() - began;
    if (request.proves && diagnosis.proof && !laboratory.is_stopped()) {
        const Result result = prove(diagnosis.remedy, diagnosis.investigation.evidence, fixed, laboratory);
        diagnosis.proof->measured = result.ratio;
        diagnosis.proof->failure = result.failure;
    }
    return diagnosis;
}

}  // namespace sluice::diagnose
