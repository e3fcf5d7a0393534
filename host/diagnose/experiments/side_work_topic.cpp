// Measures what costs time beside the steps: observers, evaluations and checkpoints.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnose/experiments/map_edits.hpp"
#include "diagnose/experiments/topic.hpp"

namespace sluice::diagnose {
namespace {

constexpr const char* kNoObservers = "no observers";
constexpr const char* kNoEvaluation = "no evaluation";
constexpr const char* kNoCheckpoints = "no checkpoints";
constexpr const char* kRareEvaluation = "rarer evaluation";
constexpr const char* kRareCheckpoints = "rarer checkpoints";
constexpr const char* kNoMetrics = "no metrics";
constexpr const char* kInMemory = "files in memory";
constexpr const char* kCachedValidation = "cache of validation data";
constexpr double kNoticeable = 0.015;  // share of the time from which observers are measured
constexpr double kAllowed = 0.02;      // share of the time that rarer evaluations and checkpoints may take
constexpr double kDiskMatters = 1e6;   // bytes per second that a run writes, from which its storage is examined
constexpr const char* kNever = "\"1000000000 steps\"";

double share_of_observers(const Facts& facts) {
    const double cores = facts.is_host_device ? facts.cores_observers / std::max(1, facts.cores) : 0.0;
    return share_of(facts, seconds_of(facts, profile::Stage::output)) + cores;
}

std::string without_observer(const std::string& name) { return "without observer " + name; }

// The observers of the pipeline without number `left_out`, as a value for --set.
std::string observers_set(const Evidence& evidence, std::size_t left_out) {
    Array rest;
    for (std::size_t i = 0; i < evidence.spec.observers.size(); ++i) {
        const config::ObserverSpec& one = evidence.spec.observers[i];
        if (i != left_out) {
            Table table;
            table.set("use", {one.component.use, {}});
            for (const auto& [key, value] : one.component.options.entries()) {
                table.set(key, value);
            }
            if (one.hold) {
                table.set("hold", {true, {}});
            }
            rest.push_back({std::move(table), {}});
        }
    }
    return "observe.use=" + to_toml(Value{rest, {}});
}

// `share`: of the time that it can save at most. If that is little, other experiments matter more.
Variant probe(const char* name, const char* what, std::string set, double share) {
    return {.name = name, .what = what, .sets = {std::move(set)}, .is_hint = share < kWorthOtherResults};
}

// "40 steps": so rarely that the work takes the allowed share of the time. `each`: seconds of one time.
std::string rare_interval(const Facts& facts, double each) {
    const double others = std::max(facts.seconds - facts.evaluation - facts.checkpoints, 1e-9);
    return fmt::format("{:.0f} steps", std::max(1.0, std::ceil(each / (kAllowed * others))));
}

double steps_of(const config::Interval& interval, const Facts& facts) {
    const double steps_of_epoch = std::max(1.0, facts.epoch_samples / std::max(facts.samples, 1.0));
    return static_cast<double>(interval.count) * (interval.epochs ? steps_of_epoch : 1.0);
}

bool validation_waits(const Facts& facts) { return facts.evaluation_input > 0.5 * facts.evaluation; }

Variant cached_validation(const Evidence& evidence) {
    const Array map = map_of(evidence.spec, "validation");
    return {.name = kCachedValidation,
            .what = "validation samples are kept in memory",
            .sets = {set_of_map("validation", with_cache(map, map.size(), "memory"))},
            .change = ChangeClass::same_bits,
            .warm_samples = evidence.facts.samples * (1.0 + steps_of(evidence.spec.evaluate_every, evidence.facts))};
}

// Shows what the storage of the run's folder costs.
Variant files_in_memory() {
    return {
        .name = kInMemory, .what = "the run's folder is in memory", .sets = {}, .is_hint = true, .is_in_memory = true};
}

// "; with the run's files in memory, a sample takes 0.62 times as long", if that was measured.
std::string storage_text(const Evidence& evidence) {
    const Ratio* const ratio = evidence.ratio_of(kInMemory);
    return ratio != nullptr
               ? fmt::format("; with the run's files in memory, a sample takes {:.2f} times as long", ratio->value)
               : std::string();
}

void add_finding(const Evidence& evidence, std::vector<Finding>& findings, const char* probe_name, Finding finding,
                 std::initializer_list<std::string> fixes) {
    const Ratio* const ratio = evidence.ratio_of(probe_name);
    if (ratio == nullptr || ratio->gain() < kWorthwhile || ratio->least_gain() <= 0.0) {
        return;
    }
    finding.without = *ratio;
    for (const std::string& name : fixes) {
        if (auto fix = fix_of(evidence, name, kWorthwhile)) {
            finding.fixes.push_back(std::move(*fix));
        }
    }
    findings.push_back(std::move(finding));
}

std::string observers_text(const Evidence& evidence) {
    const Facts& facts = evidence.facts;
    return fmt::format("the loop waits {:.1f} % of its time for observers, which take {:.2f} cores{}",
                       100.0 * share_of(facts, seconds_of(facts, profile::Stage::output)), facts.cores_observers,
                       storage_text(evidence));
}

// If observers surely cost much, each of them is left out at once; those first for which the run waits.
void propose_observers(const Evidence& evidence, double share, Proposals& proposals) {
    proposals.wanted.push_back(probe(kNoObservers, "no observer runs", "observe.use=[]", 1.0));
    const bool is_known = evidence.has_tried(kNoObservers);
    if (is_known ? evidence.gain(kNoObservers) < kWorthwhile : share < kWorthOtherResults) {
        return;
    }
    double explained = 0.0;
    for (const config::ObserverSpec& one : evidence.spec.observers) {
        explained += evidence.gain(without_observer(one.component.use));
    }
    if (is_known && explained > 0.0 && explained >= evidence.gain(kNoObservers) - kWorthwhile) {
        return;  // the others cost nothing
    }
    for (const bool holds : {true, false}) {
        for (std::size_t i = 0; i < evidence.spec.observers.size(); ++i) {
            const config::ObserverSpec& one = evidence.spec.observers[i];
            if (one.hold == holds) {
                const std::string& name = one.component.use;
                proposals.wanted.push_back({.name = without_observer(name),
                                            .what = fmt::format("the observer '{}' is left out", name),
                                            .sets = {observers_set(evidence, i)},
                                            .change = ChangeClass::same_bits,
                                            .cost = "its output is missing"});
            }
        }
    }
    if (evidence.facts.disk_write > kDiskMatters) {
        proposals.wanted.push_back(files_in_memory());
    }
}

}  // namespace

void propose_side_work(const Evidence& evidence, Proposals& proposals) {
    const Facts& facts = evidence.facts;
    const auto skip = [&](const char* name, double share) {
        proposals.skipped.push_back({name, fmt::format("it takes {:.1f} % of the time", 100.0 * share)});
    };
    if (const double share = share_of_observers(facts); share < kNoticeable) {
        skip("observers", share);
    } else {
        propose_observers(evidence, share, proposals);
    }
    // The loop does these itself, so their share of its time is what they cost.
    if (const double share = share_of(facts, facts.evaluation); share < kWorthwhile) {
        skip("evaluation", share);
    } else {
        proposals.wanted.push_back(
            probe(kNoEvaluation, "nothing is evaluated", fmt::format("evaluate.every={}", kNever), share));
        if (!evidence.spec.metrics.empty()) {
            proposals.wanted.push_back(probe(kNoMetrics, "evaluations compute no metrics", "metrics.use=[]", 0.0));
        }
        const double each = facts.evaluation * steps_of(evidence.spec.evaluate_every, facts);
        proposals.wanted.push_back({.name = kRareEvaluation,
                                    .what = "evaluations are rarer",
                                    .sets = {fmt::format("evaluate.every=\"{}\"", rare_interval(facts, each))},
                                    .change = ChangeClass::same_bits,
                                    .cost = "the best checkpoint is chosen among fewer",
                                    .is_hint = share < kWorthOtherResults});
        if (validation_waits(facts)) {
            proposals.wanted.push_back(cached_validation(evidence));
        }
    }
    if (const double share = share_of(facts, facts.checkpoints); share < kWorthwhile) {
        skip("checkpoints", share);
    } else {
        proposals.wanted.push_back(
            probe(kNoCheckpoints, "no checkpoint is written", fmt::format("checkpoint.every={}", kNever), share));
        const double each = facts.checkpoints * steps_of(evidence.spec.checkpoint.every, facts);
        proposals.wanted.push_back(files_in_memory());
        proposals.wanted.push_back({.name = kRareCheckpoints,
                                    .what = "checkpoints are rarer",
                                    .sets = {fmt::format("checkpoint.every=\"{}\"", rare_interval(facts, each))},
                                    .change = ChangeClass::same_bits,
                                    .cost = "a killed run loses more steps",
                                    .is_hint = share < kWorthOtherResults});
    }
}

void explain_side_work(const Evidence& evidence, std::vector<Finding>& findings) {
    const Facts& facts = evidence.facts;
    const std::size_t before = findings.size();
    for (const config::ObserverSpec& one : evidence.spec.observers) {
        const std::string name = one.component.use;
        add_finding(evidence, findings, without_observer(name).c_str(),
                    {.cause = "observer",
                     .subject = name,
                     .sentence = fmt::format("the observer '{}' takes time{}", name,
                                             one.hold ? ", and the run waits for it" : ""),
                     .evidence = observers_text(evidence),
                     .without = {}},
                    {without_observer(name)});
    }
    if (findings.size() == before) {  // none alone, or there was no time for them
        add_finding(evidence, findings, kNoObservers,
                    {.cause = "observer",
                     .subject = "",
                     .sentence = "observers take time",
                     .evidence = observers_text(evidence),
                     .without = {}},
                    {});
    }
    const Ratio* const no_metrics = evidence.ratio_of(kNoMetrics);
    const std::string metrics =
        no_metrics != nullptr ? fmt::format("; without metrics a sample takes {:.2f} times as long", no_metrics->value)
                              : std::string();
    const std::string evaluation =
        fmt::format("evaluations take {:.0f} % of the time, and wait {:.0f} % of theirs for validation data{}",
                    100.0 * share_of(facts, facts.evaluation),
                    100.0 * facts.evaluation_input / std::max(facts.evaluation, 1e-12), metrics);
    add_finding(
        evidence, findings, kNoEvaluation,
        {.cause = validation_waits(facts) ? "validation data" : "evaluation",
         .subject = "",
         .sentence = validation_waits(facts) ? "evaluations wait for validation data" : "evaluations come too often",
         .evidence = evaluation,
         .without = {}},
        {kCachedValidation, kRareEvaluation});
    add_finding(evidence, findings, kNoCheckpoints,
                {.cause = "checkpoints",
                 .subject = "",
                 .sentence = "checkpoints come too often",
                 .evidence = fmt::format("checkpoints take {:.0f} % of the time{}",
                                         100.0 * share_of(facts, facts.checkpoints), storage_text(evidence)),
                 .without = {}},
                {kRareCheckpoints});
}

}  // namespace sluice::diagnose
