#include "diagnose/tune/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/clock.hpp"
#include "diagnose/tune/prepared_choices.hpp"

namespace sluice::diagnose {
namespace {

constexpr double kShareOfDiagnosis = 0.4;  // of the time
constexpr double kShareOfPreparing = 0.2;  // of the time that is left, for one kind of prepared samples
constexpr std::size_t kMostInGroup = 3;    // variants that take turns with the pipeline

// The changes of a diagnosis that the search may use.
Variant start_of(const Remedy& remedy, const Allowed& allowed) {
    Remedy allowed_part;
    for (const Fix& fix : remedy.fixes) {
        const bool changes_results = fix.variant.change == ChangeClass::other_results;
        const bool is_batch = fix.variant.batch != 1.0;
        if (!changes_results || (is_batch ? allowed.batch : allowed.precision)) {
            allowed_part.fixes.push_back(fix);
        }
    }
    return allowed_part.is_empty() ? Variant{} : allowed_part.variant();
}

}  // namespace

std::vector<config::ValueChange> Tuning::changes() const {
    std::vector<config::ValueChange> changes;
    for (const std::string& set : lasting_sets(tuned.best)) {
        changes.push_back(
            {.set = set, .comment = fmt::format("all changes: {} less time a sample", gain_text(tuned.ratio))});
    }
    return changes;
}

Tuning tune_pipeline(const config::PipelineSpec& spec, const registry::Registry& registry, Laboratory& laboratory,
                     const TuningRequest& request) {
    const double began = now();
    const double end = request.end;
    const Allowed& allowed = request.allowed;
    Tuning tuning{.diagnosis = diagnose_pipeline(spec, registry, laboratory,
                                                 {.end = began + kShareOfDiagnosis * (end - began),
                                                  .allows_other_results = allowed.batch || allowed.precision}),
                  .tuned = {}};
    const Evidence& evidence = tuning.diagnosis.investigation.evidence;
    const double starting = tuning.diagnosis.starting;
    const auto measure = [&](const std::vector<Variant>& variants, double seconds) {
        std::vector<Result> results;
        for (std::size_t first = 0; first < variants.size(); first += kMostInGroup) {
            const std::size_t last = std::min(variants.size(), first + kMostInGroup);
            const std::vector<Variant> group(variants.begin() + static_cast<std::ptrdiff_t>(first),
                                             variants.begin() + static_cast<std::ptrdiff_t>(last));
            for (Result& result : laboratory.compare(
                     group, {.seconds = seconds, .most = seconds, .until = now() + 100.0 * (seconds + starting)})) {
                results.push_back(std::move(result));
            }
        }
        return results;
    };
    const auto has_time = [&](std::size_t variants, double seconds) {
        const auto count = static_cast<double>(variants);
        const double groups = (count + static_cast<double>(kMostInGroup) - 1.0) / static_cast<double>(kMostInGroup);
        return !laboratory.is_stopped() && now() + count * (starting + seconds) + groups * seconds <= end;
    };
    std::vector<Choice> prepared;
    if (!request.prepare.empty()) {
        prepared = prepared_choices(evidence, registry, request.prepare, kShareOfPreparing * (end - now()),
                                    [&] { return laboratory.is_stopped(); });
    }
    tuning.tuned =
        search(knobs_of(evidence, allowed, prepared), start_of(tuning.diagnosis.remedy, allowed), measure, has_time);
    if (!request.prepare.empty()) {
        remove_unused(request.prepare, tuning.tuned.best.sets);
    }
    return tuning;
}

std::string to_text(const Tuning& tuning) {
    const Tuned& tuned = tuning.tuned;
    std::string text = tuned.best.sets.empty() ? "Nothing that was tried is faster than the pipeline as it is.\n"
                                               : fmt::format("The tuned pipeline takes {} less time a sample: {}.\n",
                                                             gain_text(tuned.ratio), tuned.best.name);
    for (const std::string& set : lasting_sets(tuned.best)) {
        text += fmt::format("  {}\n", set);
    }
    text += fmt::format("\n{} settings were measured:\n", tuned.results.size());
    for (const Result& result : tuned.results) {
        text += result.ratio.is_known()
                    ? fmt::format("  gain {:<18} {}\n", gain_text(result.ratio), result.variant.name)
                    : fmt::format("  failed: {}: {}\n", result.variant.name, result.failure);
    }
    return text + "\n" + to_text(tuning.diagnosis);
}

std::string to_json(const Tuning& tuning) {
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    for (const Result& result : tuning.tuned.results) {
        results.push_back({{"name", result.variant.name},
                           {"gain", result.ratio.is_known() ? nlohmann::ordered_json(result.ratio.gain()) : nullptr},
                           {"failure", result.failure}});
    }
    const Ratio& ratio = tuning.tuned.ratio;
    const nlohmann::ordered_json all{{"sets", lasting_sets(tuning.tuned.best)},
                                     {"gain", ratio.gain()},
                                     {"least_gain", ratio.is_known() ? ratio.least_gain() : 0.0},
                                     {"most_gain", ratio.is_known() ? ratio.most_gain() : 0.0},
                                     {"results", results},
                                     {"diagnosis", nlohmann::ordered_json::parse(to_json(tuning.diagnosis))}};
    return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace sluice::diagnose
