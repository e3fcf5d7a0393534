#include "diagnose/verdict/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/clock.hpp"
#include "config/cache_entry.hpp"
#include "diagnose/experiments/kept_samples.hpp"
#include "diagnose/experiments/topic.hpp"
#include "diagnose/trial/observation.hpp"

namespace sluice::diagnose {
namespace {

constexpr double kShareOfWatching = 0.1;   // of the budget
constexpr double kShortestWatching = 4.0;  // seconds
constexpr double kLongestWatching = 20.0;
constexpr double kProofSeconds = 15.0;  // of each training
constexpr double kMostProofSeconds = 30.0;
constexpr double kShareOfEvaluating = 0.15;  // of the budget
constexpr double kShareOfFilling = 0.04;     // of the budget, for each cache that is filled
constexpr double kLongestWarming = 60.0;     // seconds that a proof waits for a cache to fill

// How long a group of variants is measured, if all experiments may take `budget` seconds.
Laboratory::Effort effort_for(double budget, double end) {
    constexpr double kGroups = 45.0;  // shares of the budget that a training takes at least and at most
    constexpr double kLongGroups = 7.0;
    return {.seconds = std::clamp(budget / kGroups, 1.0, 4.0),
            .most = std::clamp(budget / kLongGroups, 4.0, 14.0),
            .until = end};
}

// Seconds that a variant trains before it is measured, as to fill a cache.
double warming_seconds(const Facts& facts, const Variant& variant) {
    return variant.warm_samples * facts.seconds / std::max(facts.samples, 1.0);
}

Investigation experiment(Evidence evidence, Laboratory& laboratory, const Laboratory::Effort& effort, double starting) {
    const Facts facts = evidence.facts;
    const auto measure = [&](const std::vector<Variant>& variants) { return laboratory.compare(variants, effort); };
    bool has_baseline = false;
    const auto has_time = [&](const std::vector<Variant>& variants) {
        double needed = (has_baseline ? 0.0 : starting) + effort.seconds;
        for (const Variant& variant : variants) {
            needed += starting + warming_seconds(facts, variant) + effort.seconds;
        }
        const bool has = !laboratory.is_stopped() && now() + needed <= effort.until;
        has_baseline = has_baseline || has;
        return has;
    };
    return investigate(std::move(evidence), measure, has_time);
}

// The result on which the first finding rests; null if none was measured for it.
Result* deciding(Evidence& evidence, const Verdict& verdict) {
    if (verdict.findings.empty()) {
        return nullptr;
    }
    const auto found = std::ranges::find(evidence.results, deciding_result(verdict.findings.front()),
                                         [](const Result& one) { return std::string_view(one.variant.name); });
    return found != evidence.results.end() && found->ratio.is_known() ? &*found : nullptr;
}

// Measures what the verdict rests on again: once, since another time finds another process and another speed of the
// machine; and more often until its interval is narrow enough or the time is over.
void sharpen(Investigation& investigation, Laboratory& laboratory, const Laboratory::Effort& effort, double starting) {
    constexpr int kMostTimes = 4;
    Evidence& evidence = investigation.evidence;
    for (int time = 0; time < kMostTimes && !laboratory.is_stopped(); ++time) {
        const Verdict verdict = verdict_of(evidence, investigation.unfinished);
        Result* const result = deciding(evidence, verdict);
        if (result == nullptr || (time > 0 && deciding_ratio(verdict.findings.front()).is_sure()) ||
            now() + starting + warming_seconds(evidence.facts, result->variant) + 2.0 * effort.seconds > effort.until) {
            return;
        }
        laboratory.renew_baseline();
        const Result again = laboratory.compare({result->variant}, effort).front();
        result->ratio = pooled(result->ratio, again.ratio);
        result->seconds += again.seconds;
    }
}

// The gain of the remedy by the experiments: that of its only change, or of all together, which is measured now. If
// they do not work together, or gain no more than the best of them, only that one is left.
Ratio predict(Remedy& remedy, Laboratory& laboratory, double end) {
    constexpr double kShortest = 10.0;  // seconds that the last comparison may always take
    const auto value = [](const Fix& fix) { return fix.ratio.value; };
    const Fix best = *std::ranges::min_element(remedy.fixes, {}, value);
    if (remedy.fixes.size() > 1) {
        const double until = std::max(end, now() + kShortest);
        const Ratio together = laboratory.compare({remedy.variant()}, {.until = until}).front().ratio;
        if (together.is_known() && together.value < best.ratio.value) {
            return together;
        }
        remedy.fixes = {best};
    }
    return best.ratio;
}

// Evaluations that did not come while the training was watched are timed apart, if they may matter.
void add_rare_evaluations(Evidence& evidence, Laboratory& laboratory, double most) {
    constexpr double kMayMatter = 0.5 * kWorthwhile;
    Facts& facts = evidence.facts;
    if (facts.evaluation > 0.0 || facts.validation_samples == 0.0) {
        return;
    }
    const double forward = seconds_of(facts, profile::Stage::forward) / facts.samples;
    const double made = input_seconds(facts) / std::max(facts.cores, 1);
    const double expected = facts.validation_samples * std::max(forward, made);
    const double steps = steps_of(evidence.spec.evaluate_every, facts);
    const bool may_matter = expected >= kMayMatter * steps * facts.seconds;
    const Laboratory::Evaluated timed =
        may_matter ? laboratory.time_evaluation(most) : Laboratory::Evaluated{.seconds = expected};
    facts.evaluation = timed.seconds / steps;
    facts.evaluation_input = timed.input / steps;
    facts.length *= 1.0 + facts.evaluation / facts.seconds;
    facts.seconds += facts.evaluation;
    facts.has_rare_evaluations = true;
}

// True if the training has a cache that all samples fit into, and more than one epoch in which it is full.
bool fills_cache(const Evidence& evidence) {
    return std::ranges::any_of(evidence.spec.data.train.map, config::is_cache) && evidence.spec.train.epochs > 1 &&
           !is_cache_too_small(evidence);
}

// Trains the old and the new pipeline by turns, twice and each time in new processes. If a cache takes long to fill,
// they repeat some samples, as in the experiments.
Result prove(const Remedy& remedy, const Evidence& evidence, const std::vector<std::string>& fixed,
             Laboratory& laboratory) {
    constexpr int kTimes = 2;
    const Facts& facts = evidence.facts;
    Variant fixed_pipeline = remedy.variant();
    const double epoch = facts.epoch_samples / std::max(facts.samples, 1.0) * facts.seconds;
    if (epoch <= kLongestWarming) {
        const double filling = samples_until_full(facts, facts.epoch_samples);
        fixed_pipeline.sets = lasting_sets(fixed_pipeline);
        fixed_pipeline.warm_samples = fixed_pipeline.warm_samples > 0.0 ? filling : 0.0;
        laboratory.fill_caches(fills_cache(evidence) ? filling : 0.0, 0);
    }
    laboratory.fix(fixed);
    Result all{.variant = fixed_pipeline, .ratio = {}, .failure = {}};
    for (int time = 0; time < kTimes && all.failure.empty() && !laboratory.is_stopped(); ++time) {
        laboratory.renew_baseline();
        const Result one =
            laboratory
                .compare({fixed_pipeline}, {.seconds = kProofSeconds,
                                            .most = kMostProofSeconds,
                                            .until = now() + 2.0 * kLongestWarming + 4.0 * kMostProofSeconds})
                .front();
        all.ratio = pooled(all.ratio, one.ratio);
        all.failure = one.failure;
    }
    return all;
}

// A wait of the input ends also while its training is paused. So that this adds little, turns are much longer than
// waits.
double shortest_turn(const Facts& facts) {
    constexpr double kTimes = 20.0;
    double longest = 0.0;
    for (const InputStage& stage : facts.input) {
        longest = std::max(longest, blocked_seconds(facts, stage) / std::max(stage.calls, 0.01));
    }
    return kTimes * longest;
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
    const auto watched = [&] {
        Facts facts = facts_of(laboratory.watch(watching), spec, registry);
        facts.filling_seconds = kShareOfFilling * (request.end - began);
        return facts;
    };
    Evidence evidence{.spec = spec, .facts = watched()};
    const double starting = now() - began - watching;  // seconds that a training takes until it is warm
    if (fills_cache(evidence)) {
        laboratory.fill_caches(samples_until_full(evidence.facts), repeated_samples(evidence.facts));
        if (is_cache_empty(evidence.facts)) {
            evidence.facts = watched();
        }
    }
    add_rare_evaluations(evidence, laboratory, kShareOfEvaluating * (request.end - began));
    const std::vector<std::string> fixed = fixed_input(evidence);
    laboratory.fix(fixed);
    laboratory.set_shortest_turn(shortest_turn(evidence.facts));
    const Laboratory::Effort effort = effort_for(request.end - began, request.end);
    Diagnosis diagnosis{.investigation = experiment(std::move(evidence), laboratory, effort, starting), .verdict = {}};
    sharpen(diagnosis.investigation, laboratory, effort, starting);
    diagnosis.investigation.evidence.facts.others = laboratory.others();
    diagnosis.starting = starting;
    diagnosis.verdict = verdict_of(diagnosis.investigation.evidence, diagnosis.investigation.unfinished);
    diagnosis.remedy = remedy_of(diagnosis.verdict, request.allows_other_results);
    if (!diagnosis.remedy.is_empty() && !laboratory.is_stopped()) {
        diagnosis.proof =
            Proof{.predicted = predict(diagnosis.remedy, laboratory, request.end), .measured = {}, .failure = {}};
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
