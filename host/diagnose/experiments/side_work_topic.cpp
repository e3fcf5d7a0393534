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
constexpr double kDecisive = 0.05;     // share of the time from which it may be what the verdict rests on
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
    return {.name = name, .what = what, .sets = {std::move(set)}, .is_hint = share < kDecisive};
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

// Evaluations or checkpoints, which the loop makes itself after so many steps.
struct RareWork {
    const char* name;      // "evaluation"
    const char* probe;     // the variant without it
    double seconds = 0.0;  // per step
    double steps = 1.0;    // between two times
    bool is_rare = false;  // it was timed apart, so experiments do not see it

    [[nodiscard]] double each() const { return seconds * steps; }
};

RareWork evaluations_of(const Evidence& evidence) {
    const Facts& facts = evidence.facts;
    return {.name = "evaluation",
            .probe = kNoEvaluation,
            .seconds = facts.evaluation,
            .steps = steps_of(evidence.spec.evaluate_every, facts),
            .is_rare = facts.has_rare_evaluations};
}

RareWork checkpoints_of(const Evidence& evidence) {
    const Facts& facts = evidence.facts;
    return {.name = "checkpoints",
            .probe = kNoCheckpoints,
            .seconds = facts.checkpoints,
            .steps = steps_of(evidence.spec.checkpoint.every, facts),
            .is_rare = facts.has_rare_checkpoints};
}

// The steps after which the work takes only the allowed share of the time; but it comes ten times in the training.
double rarer_steps(const Facts& facts, const RareWork& work) {
    constexpr double kTimesOfTraining = 10.0;
    const double others = std::max(facts.seconds - facts.evaluation - facts.checkpoints, 1e-9);
    const double most = facts.length / std::max(facts.seconds, 1e-9) / kTimesOfTraining;
    return std::max(1.0, std::ceil(std::min(work.each() / (kAllowed * others), most)));
}

// Fewer evaluations change what is learnt if they decide on the learning rate.
Variant rarer_evaluations(const Evidence& evidence) {
    const Facts& facts = evidence.facts;
    const bool decide = evidence.spec.schedule.use == config::ScheduleKind::plateau;
    return {.name = kRareEvaluation,
            .what = "evaluations are rarer",
            .sets = {fmt::format("evaluate.every=\"{:.0f} steps\"", rarer_steps(facts, evaluations_of(evidence)))},
            .change = decide ? ChangeClass::other_results : ChangeClass::same_bits,
            .cost = "the best checkpoint is chosen among fewer",
            .is_hint = share_of(facts, facts.evaluation) < kDecisive};
}

Variant rarer_checkpoints(const Evidence& evidence) {
    const Facts& facts = evidence.facts;
    return {.name = kRareCheckpoints,
            .what = "checkpoints are rarer",
            .sets = {fmt::format("checkpoint.every=\"{:.0f} steps\"", rarer_steps(facts, checkpoints_of(evidence)))},
            .change = ChangeClass::same_bits,
            .cost = "a killed run loses more steps",
            .is_hint = share_of(facts, facts.checkpoints) < kDecisive};
}

// The ratio of a training that saves this share of the time, which was timed and not compared.
Ratio timed_ratio(double share) {
    constexpr double kError = 0.09;  // relative error of one timing
    return {
        .value = 1.0 - share, .low = 1.0 - share * (1.0 + kError), .high = 1.0 - share * (1.0 - kError), .rounds = 1};
}

void add_finding(const Evidence& evidence, std::vector<Finding>& findings, const std::string& probe_name,
                 Finding finding, std::initializer_list<std::string> fixes) {
    const Ratio* const ratio = evidence.ratio_of(probe_name);
    if (!is_gain(ratio, kWorthwhile)) {
        return;
    }
    finding.without = *ratio;
    finding.probe = probe_name;
    for (const std::string& name : fixes) {
        if (auto fix = fix_of(evidence, name, kWorthwhile)) {
            finding.fixes.push_back(std::move(*fix));
        }
    }
    findings.push_back(std::move(finding));
}

// Adds what rare work costs: by experiments, or by its time alone.
void add_rare_work(const Evidence& evidence, const RareWork& work, const Variant& rarer, Finding finding,
                   std::initializer_list<std::string> fixes, std::vector<Finding>& findings) {
    const Facts& facts = evidence.facts;
    const double share = share_of(facts, work.seconds);
    if (!work.is_rare) {
        add_finding(evidence, findings, work.probe, std::move(finding), fixes);
    } else if (share >= kWorthwhile) {
        finding.without = timed_ratio(share);
        const double saved = share * (1.0 - work.steps / rarer_steps(facts, work));
        if (saved >= kWorthwhile) {
            finding.fixes.push_back({.variant = rarer, .ratio = timed_ratio(saved)});
        }
        findings.push_back(std::move(finding));
    }
}

std::string observers_text(const Evidence& evidence) {
    const Facts& facts = evidence.facts;
    return fmt::format("the loop waits {:.1f} % of its time for observers, which take {:.2f} cores{}",
                       100.0 * share_of(facts, seconds_of(facts, profile::Stage::output)), facts.cores_observers,
                       storage_text(evidence));
}

// If observers surely cost much, each of them is left out at once; those first for which the run waits.
void propose_observers(const Evidence& evidence, double share, Proposals& proposals) {
    Variant none = probe(kNoObservers, "no observer runs", "observe.use=[]", share);
    none.is_hint = share >= kWorthOtherResults;  // each of them is left out, too
    proposals.wanted.push_back(std::move(none));
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
    const bool some_hold = std::ranges::any_of(evidence.spec.observers, &config::ObserverSpec::hold);
    for (const bool holds : {true, false}) {
        for (std::size_t i = 0; i < evidence.spec.observers.size(); ++i) {
            const config::ObserverSpec& one = evidence.spec.observers[i];
            if (one.hold == holds) {
                const std::string& name = one.component.use;
                proposals.wanted.push_back({.name = without_observer(name),
                                            .what = fmt::format("the observer '{}' is left out", name),
                                            .sets = {observers_set(evidence, i)},
                                            .change = ChangeClass::same_bits,
                                            .cost = "its output is missing",
                                            .is_hint = !holds && some_hold,
                                            .loses_output = true});
            }
        }
    }
    if (evidence.facts.disk_write > kDiskMatters) {
        proposals.wanted.push_back(files_in_memory());
    }
}

// True if trainings with and without this work can show what it costs, and that matters. Else the reason is noted.
bool is_worth_a_probe(const Facts& facts, const RareWork& work, Proposals& proposals) {
    const double share = share_of(facts, work.seconds);
    if (work.is_rare) {
        proposals.skipped.push_back(
            {work.name, fmt::format("none came while the training was watched; one takes about {:.2g} s, and all take "
                                    "{:.1f} % of the time",
                                    work.each(), 100.0 * share)});
        return false;
    }
    if (share < kWorthwhile) {
        proposals.skipped.push_back({work.name, fmt::format("it takes {:.1f} % of the time", 100.0 * share)});
        return false;
    }
    return true;
}

}  // namespace

void propose_side_work(const Evidence& evidence, Proposals& proposals) {
    const Facts& facts = evidence.facts;
    if (const double share = share_of_observers(facts); share < kNoticeable) {
        proposals.skipped.push_back({"observers", fmt::format("they take {:.1f} % of the time", 100.0 * share)});
    } else {
        propose_observers(evidence, share, proposals);
    }
    // The loop does these itself, so their share of its time is what they cost.
    if (const RareWork work = evaluations_of(evidence); is_worth_a_probe(facts, work, proposals)) {
        proposals.wanted.push_back(probe(kNoEvaluation, "nothing is evaluated",
                                         fmt::format("evaluate.every={}", kNever), share_of(facts, work.seconds)));
        if (!evidence.spec.metrics.empty()) {
            proposals.wanted.push_back(probe(kNoMetrics, "evaluations compute no metrics", "metrics.use=[]", 0.0));
        }
        if (rarer_steps(facts, work) > work.steps) {
            proposals.wanted.push_back(rarer_evaluations(evidence));
        }
        if (validation_waits(facts)) {
            proposals.wanted.push_back(cached_validation(evidence));
        }
    }
    if (const RareWork work = checkpoints_of(evidence); is_worth_a_probe(facts, work, proposals)) {
        proposals.wanted.push_back(probe(kNoCheckpoints, "no checkpoint is written",
                                         fmt::format("checkpoint.every={}", kNever), share_of(facts, work.seconds)));
        proposals.wanted.push_back(files_in_memory());
        if (rarer_steps(facts, work) > work.steps) {
            proposals.wanted.push_back(rarer_checkpoints(evidence));
        }
    }
}

void explain_side_work(const Evidence& evidence, std::vector<Finding>& findings) {
    const Facts& facts = evidence.facts;
    const std::size_t before = findings.size();
    for (const config::ObserverSpec& one : evidence.spec.observers) {
        const std::string name = one.component.use;
        add_finding(evidence, findings, without_observer(name),
                    {.cause = "observer",
                     .subject = name,
                     .sentence = fmt::format("the observer '{}' takes time{}", name,
                                             one.hold ? ", and the run waits for it" : ""),
                     .evidence = observers_text(evidence)},
                    {without_observer(name)});
    }
    if (findings.size() == before) {  // none alone, or there was no time for them
        add_finding(evidence, findings, kNoObservers,
                    {.cause = "observer",
                     .subject = "",
                     .sentence = "observers take time",
                     .evidence = observers_text(evidence)},
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
    const bool waits = validation_waits(facts);
    add_rare_work(evidence, evaluations_of(evidence), rarer_evaluations(evidence),
                  {.cause = waits ? "validation data" : "evaluation",
                   .subject = "",
                   .sentence = waits ? "evaluations wait for validation data" : "evaluations come too often",
                   .evidence = evaluation},
                  {kCachedValidation, kRareEvaluation}, findings);
    add_rare_work(evidence, checkpoints_of(evidence), rarer_checkpoints(evidence),
                  {.cause = "checkpoints",
                   .subject = "",
                   .sentence = "checkpoints come too often",
                   .evidence = fmt::format("checkpoints take {:.0f} % of the time{}",
                                           100.0 * share_of(facts, facts.checkpoints), storage_text(evidence))},
                  {kRareCheckpoints}, findings);
}

}  // namespace sluice::diagnose
