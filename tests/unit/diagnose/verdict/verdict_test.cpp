// Verdicts on the evidence of real diagnoses, which tests/unit/diagnose/stored has: each was measured on a training
// with one fault, by tests/bench/diagnose/cases.
#include "diagnose/verdict/verdict.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "base/files.hpp"
#include "diagnose/verdict/remedy.hpp"

namespace sluice::diagnose {
namespace {

Evidence stored(const std::string& name) {
    const std::filesystem::path file = std::filesystem::path(SLUICE_STORED_EVIDENCE) / (name + ".json");
    return evidence_of(read_file(file), file.string());
}

std::string first_cause(const Verdict& verdict) {
    return verdict.findings.empty() ? "none" : verdict.findings.front().cause;
}

// Each file's name is that of the cause which its verdict has to name first.
TEST(DiagnoseVerdict, names_the_cause_of_each_stored_case_first) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(SLUICE_STORED_EVIDENCE)) {
        const std::string name = entry.path().stem().string();
        EXPECT_EQ(first_cause(verdict_of(stored(name), {})), name);
        ++count;
    }
    EXPECT_GE(count, 10);
}

TEST(DiagnoseVerdict, of_a_healthy_training_is_that_it_is_at_its_limit) {
    const Verdict verdict = verdict_of(stored("none"), {});
    EXPECT_TRUE(verdict.is_complete());
    EXPECT_TRUE(remedy_of(verdict, true).is_empty());
    EXPECT_EQ(verdict.sentence.substr(0, 45), "The training is at the limit of its device: t");
}

TEST(DiagnoseVerdict, is_incomplete_if_an_interval_is_too_wide_or_time_was_short) {
    Evidence evidence = stored("lock");
    EXPECT_TRUE(verdict_of(evidence, {}).is_complete());
    EXPECT_TRUE(verdict_of(evidence, {"batch x4"}).is_complete());  // the cause and its fix are known
    const Verdict unfinished = verdict_of(stored("none"), {"batch x4"});
    EXPECT_EQ(unfinished.missing, "the budget had no time for: batch x4");
    EXPECT_EQ(unfinished.sentence, "No limit was found in the time that the budget allows.");
    for (Result& result : evidence.results) {
        result.ratio.low *= 0.8;
    }
    EXPECT_EQ(verdict_of(evidence, {}).missing, "the interval of the gain is too wide; measure longer");
}

TEST(DiagnoseVerdict, remedy_changes_results_only_if_that_is_allowed) {
    const Verdict verdict = verdict_of(stored("small batch"), {});
    for (const Fix& fix : remedy_of(verdict, false).fixes) {
        EXPECT_NE(fix.variant.change, ChangeClass::other_results) << fix.variant.name;
    }
    const Remedy remedy = remedy_of(verdict, true);
    ASSERT_FALSE(remedy.is_empty());
    EXPECT_EQ(remedy.variant().change, ChangeClass::other_results);
    EXPECT_GT(remedy.variant().batch, 1.0);
}

TEST(DiagnoseVerdict, remedy_leaves_out_an_observer_only_if_that_is_allowed) {
    const Verdict verdict = verdict_of(stored("observer"), {});
    ASSERT_FALSE(verdict.findings.front().fixes.empty());
    EXPECT_EQ(verdict.findings.front().fixes.front().variant.change, ChangeClass::same_bits);
    EXPECT_TRUE(remedy_of(verdict, false).is_empty());
    EXPECT_FALSE(remedy_of(verdict, true).is_empty());
}

Finding finding_with(const std::string& name, const std::vector<std::string>& sets) {
    const Ratio ratio{.value = 0.5, .low = 0.49, .high = 0.51, .rounds = 20};
    return {.cause = name,
            .subject = {},
            .sentence = name,
            .evidence = {},
            .without = ratio,
            .fixes = {{.variant = {.name = name, .what = name, .sets = sets, .change = ChangeClass::same_bits},
                       .ratio = ratio}}};
}

TEST(DiagnoseVerdict, remedy_changes_no_key_twice) {
    Verdict verdict;
    verdict.findings = {finding_with("map", {"data.train.map=[]"}),
                        finding_with("entry", {"data.train.map.0.budget=1"}),
                        finding_with("other", {"data.train.mapped=1"})};
    const Remedy remedy = remedy_of(verdict, false);
    ASSERT_EQ(remedy.fixes.size(), 2U);
    EXPECT_EQ(remedy.fixes.back().variant.name, "other");
}

TEST(DiagnoseVerdict, names_the_best_change_that_is_not_worth_advice) {
    Evidence evidence = stored("none");
    evidence.results = {{.variant = {.name = "batch x4", .what = {}, .sets = {}, .change = ChangeClass::other_results},
                         .ratio = {.value = 0.92, .low = 0.9, .high = 0.94, .rounds = 20},
                         .failure = {}}};
    const Verdict verdict = verdict_of(evidence, {});
    EXPECT_TRUE(verdict.findings.empty());
    EXPECT_NE(verdict.sentence.find("'batch x4' gains 8 % [6, 10] (other results)"), std::string::npos)
        << verdict.sentence;
}

TEST(DiagnoseVerdict, changes_leave_out_what_only_experiments_need) {
    const Remedy remedy = remedy_of(verdict_of(stored("transform"), {}), false);
    ASSERT_FALSE(remedy.is_empty());
    for (const config::ValueChange& change : remedy.changes()) {
        EXPECT_FALSE(change.set.starts_with("what_if.")) << change.set;
        EXPECT_NE(change.comment.find("same bits"), std::string::npos) << change.comment;
    }
}

TEST(DiagnoseVerdict, evidence_survives_its_text) {
    const Evidence evidence = stored("transform");
    const std::string text = to_json(evidence);
    EXPECT_EQ(to_json(evidence_of(text, "again")), text);
    EXPECT_THROW(static_cast<void>(evidence_of("{}", "empty")), Error);
}

}  // namespace
}  // namespace sluice::diagnose
