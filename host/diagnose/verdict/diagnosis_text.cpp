#include "diagnose/verdict/diagnosis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "diagnose/verdict/remedy.hpp"

namespace sluice::diagnose {
namespace {

using Json = nlohmann::ordered_json;

std::string fix_text(const Fix& fix) {
    std::string text =
        fmt::format("  {:<18} {:<17} {}\n", gain_text(fix.ratio), name_of(fix.variant.change), fix.variant.what);
    for (const std::string& key : lasting_sets(fix.variant)) {
        text += fmt::format("      {}\n", key);
    }
    if (!fix.variant.cost.empty()) {
        text += fmt::format("      ({})\n", fix.variant.cost);
    }
    return text;
}

std::string others_text(const std::vector<OtherProcess>& others) {
    std::string text;
    for (const OtherProcess& other : others) {
        text +=
            fmt::format("Another process took {:.1f} cores meanwhile: {} ({}).\n", other.cores, other.name, other.id);
    }
    return text;
}

std::string proof_text(const Diagnosis& diagnosis) {
    if (!diagnosis.proof) {
        return {};
    }
    const Proof& proof = *diagnosis.proof;
    std::string text = fmt::format("\nThe chosen changes together gain {}.\n", gain_text(proof.predicted));
    if (proof.measured.is_known()) {
        text += fmt::format("Proof: trained by turns with the old pipeline, the new one gains {}.\n",
                            gain_text(proof.measured));
    } else if (!proof.failure.empty()) {
        text += fmt::format("The proof failed: {}\n", proof.failure);
    }
    return text;
}

Json json_of(const Ratio& ratio) {
    if (!ratio.is_known()) {
        return nullptr;
    }
    return {{"gain", ratio.gain()}, {"least_gain", ratio.least_gain()}, {"most_gain", ratio.most_gain()}};
}

}  // namespace

std::string to_text(const Diagnosis& diagnosis) {
    const Investigation& investigation = diagnosis.investigation;
    const Verdict& verdict = diagnosis.verdict;
    std::string text = verdict.sentence + "\n";
    if (!verdict.is_complete()) {
        text += fmt::format("INCOMPLETE: {}.\n", verdict.missing);
    }
    text += others_text(investigation.evidence.facts.others);
    for (const Finding& finding : verdict.findings) {
        text += fmt::format("\n{}: {}\n", finding.cause, finding.sentence);
        if (!finding.evidence.empty()) {
            text += fmt::format("  evidence: {}\n", finding.evidence);
        }
        if (finding.fixes.empty()) {
            text += "  no change of the pipeline that was tried helps\n";
        }
        for (const Fix& fix : finding.fixes) {
            text += fix_text(fix);
        }
    }
    text += proof_text(diagnosis);
    text += fmt::format("\nexperiments: {} after {:.0f} s\n",
                        investigation.unfinished.empty() ? "all that matter were made" : "the budget was over",
                        diagnosis.seconds);
    for (const Result& result : investigation.evidence.results) {
        text += result.failure.empty() && result.ratio.is_known()
                    ? fmt::format("  {:<26} gain {:<18} {}\n", result.variant.name, gain_text(result.ratio),
                                  result.variant.what)
                    : fmt::format("  {:<26} not possible: {}\n", result.variant.name, result.failure);
    }
    for (const std::string& name : investigation.unfinished) {
        text += fmt::format("  {:<26} not tried: the budget was over\n", name);
    }
    for (const Skipped& skipped : investigation.skipped) {
        text += fmt::format("  {:<26} left out: {}\n", skipped.name, skipped.why);
    }
    return text;
}

std::string to_json(const Diagnosis& diagnosis) {
    const Investigation& investigation = diagnosis.investigation;
    const Verdict& verdict = diagnosis.verdict;
    Json findings = Json::array();
    for (const Finding& finding : verdict.findings) {
        Json fixes = Json::array();
        for (const Fix& fix : finding.fixes) {
            Json one = json_of(fix.ratio);
            one["name"] = fix.variant.name;
            one["what"] = fix.variant.what;
            one["class"] = name_of(fix.variant.change);
            one["keys"] = lasting_sets(fix.variant);
            one["cost"] = fix.variant.cost;
            fixes.push_back(std::move(one));
        }
        findings.push_back({{"cause", finding.cause},
                            {"subject", finding.subject},
                            {"sentence", finding.sentence},
                            {"evidence", finding.evidence},
                            {"without", json_of(finding.without)},
                            {"fixes", fixes}});
    }
    Json skipped = Json::array();
    for (const Skipped& one : investigation.skipped) {
        skipped.push_back({{"name", one.name}, {"why", one.why}});
    }
    Json proof;
    if (diagnosis.proof) {
        proof = {{"predicted", json_of(diagnosis.proof->predicted)},
                 {"measured", json_of(diagnosis.proof->measured)},
                 {"failure", diagnosis.proof->failure}};
    }
    const Json all{{"verdict", verdict.sentence},
                   {"is_complete", verdict.is_complete()},
                   {"missing", verdict.missing},
                   {"share_of_limit", verdict.share_of_limit},
                   {"seconds", diagnosis.seconds},
                   {"findings", findings},
                   {"proof", proof},
                   {"skipped", skipped},
                   {"unfinished", investigation.unfinished},
                   {"evidence", Json::parse(to_json(investigation.evidence))}};
    return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sluice::diagnose
