// What topics want to measure, and what they make of it, with facts and ratios that are made up.
#include "diagnose/experiments/topic.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.hpp"

namespace sluice::diagnose {
namespace {

Evidence healthy() {
    const std::filesystem::path file = std::filesystem::path(SLUICE_STORED_EVIDENCE) / "none.json";
    Evidence evidence = evidence_of(read_file(file), file.string());
    evidence.results.clear();
    return evidence;
}

void add_ratio(Evidence& evidence, const std::string& name, double ratio) {
    evidence.results.push_back({.variant = {.name = name, .what = {}, .sets = {"a=1"}},
                                .ratio = {.value = ratio, .low = ratio - 0.01, .high = ratio + 0.01, .rounds = 20},
                                .failure = {}});
}

using Propose = void (*)(const Evidence&, Proposals&);
using Explain = void (*)(const Evidence&, std::vector<Finding>&);

std::vector<std::string> wanted_by(Propose propose, const Evidence& evidence) {
    Proposals proposals;
    propose(evidence, proposals);
    std::vector<std::string> names;
    for (const Variant& variant : proposals.wanted) {
        names.push_back(variant.name);
    }
    return names;
}

std::vector<std::string> causes_of(Explain explain, const Evidence& evidence) {
    std::vector<Finding> findings;
    explain(evidence, findings);
    std::vector<std::string> causes;
    for (const Finding& finding : findings) {
        EXPECT_FALSE(finding.sentence.empty());
        causes.push_back(finding.cause);
    }
    return causes;
}

using Names = std::vector<std::string>;

// Two processes, of which the second needs `own` seconds for a step of 0.1 s, and the first 0.04 s.
Evidence two_processes(double own) {
    Evidence evidence = healthy();
    evidence.facts.replicas = 2;
    evidence.facts.processes = {{.rank = 0, .own = 0.04, .input = 0.0}, {.rank = 1, .own = own, .input = own - 0.04}};
    evidence.facts.lag = 10.0 * (own - 0.04);
    evidence.facts.lag_error = 0.01;
    return evidence;
}

TEST(DiagnoseStrategy, is_not_examined_with_one_replica) {
    EXPECT_TRUE(wanted_by(propose_strategy, healthy()).empty());
    EXPECT_TRUE(causes_of(explain_strategy, healthy()).empty());
}

TEST(DiagnoseStrategy, is_examined_further_if_the_exchange_costs_time) {
    Evidence evidence = two_processes(0.04);
    EXPECT_EQ(wanted_by(propose_strategy, evidence), (Names{"no exchange", "one replica"}));
    add_ratio(evidence, "no exchange", 0.6);
    EXPECT_EQ(wanted_by(propose_strategy, evidence), (Names{"no exchange", "one replica", "bfloat16 on the wire"}));
    EXPECT_EQ(causes_of(explain_strategy, evidence), Names{"exchange"});
}

TEST(DiagnoseStrategy, names_the_process_that_the_others_wait_for) {
    EXPECT_TRUE(causes_of(explain_strategy, two_processes(0.041)).empty());
    const Evidence evidence = two_processes(0.09);
    std::vector<Finding> findings;
    explain_strategy(evidence, findings);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().cause, "slow replica");
    EXPECT_EQ(findings.front().subject, "rank 1");
    EXPECT_NEAR(findings.front().without.gain(), 0.5, 1e-9);
    EXPECT_NE(findings.front().evidence.find("waits 50 ms more for its input"), std::string::npos);
}

TEST(DiagnoseStrategy, names_cores_that_too_many_replicas_share) {
    Evidence evidence = two_processes(0.09);
    add_ratio(evidence, "one replica", 0.7);
    EXPECT_EQ(causes_of(explain_strategy, evidence), (Names{"slow replica", "replicas"}));
    evidence.facts.replicas = 2 * evidence.facts.cores;
    add_ratio(evidence, "no exchange", 0.8);
    EXPECT_EQ(causes_of(explain_strategy, evidence), Names{"too many threads"});
}

TEST(DiagnoseStrategy, knows_that_batch_norm_learns_something_else_with_fewer_replicas) {
    Proposals proposals;
    propose_strategy(two_processes(0.04), proposals);
    const auto alone = std::ranges::find(proposals.wanted, "one replica", &Variant::name);
    ASSERT_NE(alone, proposals.wanted.end());
    EXPECT_EQ(alone->change, ChangeClass::other_results);
}

// A training on a device that has memory of its own.
Evidence on_device() {
    Evidence evidence = healthy();
    evidence.facts.is_host_device = false;
    return evidence;
}

TEST(DiagnoseUpload, does_not_count_the_time_of_the_input) {
    Evidence evidence = on_device();
    add_ratio(evidence, "replay", 0.4);
    add_ratio(evidence, "no upload", 0.4);
    EXPECT_TRUE(causes_of(explain_compute, evidence).empty());
    evidence.results.back().ratio = {.value = 0.1, .low = 0.09, .high = 0.11, .rounds = 20};
    EXPECT_EQ(causes_of(explain_compute, evidence), Names{"upload"});
    EXPECT_NEAR(ratio_without_upload(evidence).gain(), 0.3, 1e-9);
    EXPECT_FALSE(ratio_without_upload(on_device()).is_known());
}

// A source that waits most of its time.
Evidence waiting_input() {
    const std::filesystem::path file = std::filesystem::path(SLUICE_STORED_EVIDENCE) / "lock.json";
    Evidence evidence = evidence_of(read_file(file), file.string());
    evidence.results.clear();
    add_ratio(evidence, "replay", 0.3);
    return evidence;
}

TEST(DiagnoseInput, tells_a_lock_from_latency_only_by_more_threads) {
    Evidence evidence = waiting_input();
    EXPECT_EQ(causes_of(explain_input, evidence), Names{"waits"});
    add_ratio(evidence, "more workers", 0.99);
    EXPECT_EQ(causes_of(explain_input, evidence), Names{"lock"});
    evidence.results.back().ratio = {.value = 0.4, .low = 0.39, .high = 0.41, .rounds = 20};
    EXPECT_EQ(causes_of(explain_input, evidence), Names{"latency"});
}

TEST(DiagnoseInput, is_no_finding_if_its_interval_has_no_gain) {
    Evidence evidence = waiting_input();
    evidence.results.back().ratio = {.value = 0.95, .low = 0.88, .high = 1.02, .rounds = 20};
    EXPECT_TRUE(causes_of(explain_input, evidence).empty());
}

TEST(DiagnoseInput, is_kept_where_there_is_room) {
    Evidence evidence = waiting_input();
    const auto wants = [&](const char* name) {
        const Names wanted = wanted_by(propose_input, evidence);
        return std::ranges::find(wanted, name) != wanted.end();
    };
    EXPECT_TRUE(wants("cache in memory"));
    evidence.facts.cache_room = 1e3;
    EXPECT_FALSE(wants("cache in memory"));
    EXPECT_TRUE(wants("cache on disk"));
    evidence.facts.disk_room = 1e3;
    EXPECT_FALSE(wants("cache on disk"));
}

TEST(DiagnoseInput, gets_no_larger_cache_than_there_is_room_for) {
    const std::filesystem::path file = std::filesystem::path(SLUICE_STORED_EVIDENCE) / "cache.json";
    Evidence evidence = evidence_of(read_file(file), file.string());
    evidence.results.clear();
    add_ratio(evidence, "replay", 0.5);
    EXPECT_EQ(wanted_by(propose_input, evidence), (Names{"larger cache"}));
    evidence.facts.available = 1000;
    EXPECT_EQ(wanted_by(propose_input, evidence), (Names{"cache on disk"}));
    evidence.facts.disk_room = 1e3;
    EXPECT_TRUE(wanted_by(propose_input, evidence).empty());
}

// Evaluations of 30 s after every 60 s of steps, of which none came while the training was watched.
Evidence rare_evaluations() {
    Evidence evidence = healthy();
    evidence.facts.has_rare_evaluations = true;
    evidence.facts.evaluation = 0.5 * evidence.facts.seconds;
    evidence.facts.evaluation_input = 0.0;
    evidence.facts.seconds *= 1.5;
    return evidence;
}

TEST(DiagnoseSideWork, finds_rare_evaluations_by_their_time_alone) {
    const Evidence evidence = rare_evaluations();
    EXPECT_TRUE(std::ranges::none_of(wanted_by(propose_side_work, evidence),
                                     [](const std::string& name) { return name == "no evaluation"; }));
    std::vector<Finding> findings;
    explain_side_work(evidence, findings);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().cause, "evaluation");
    EXPECT_NEAR(findings.front().without.gain(), 1.0 / 3.0, 1e-9);
    ASSERT_EQ(findings.front().fixes.size(), 1U);
    EXPECT_EQ(findings.front().fixes.front().variant.change, ChangeClass::same_bits);
}

TEST(DiagnoseSideWork, knows_that_evaluations_may_decide_on_the_rate) {
    Evidence evidence = rare_evaluations();
    evidence.spec.schedule.use = config::ScheduleKind::plateau;
    std::vector<Finding> findings;
    explain_side_work(evidence, findings);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().fixes.front().variant.change, ChangeClass::other_results);
}

TEST(DiagnoseMemory, matters_only_if_it_is_used_up_before_the_training_ends) {
    Evidence evidence = healthy();
    evidence.facts.growth = 1e6;
    evidence.facts.growth_error = 1e3;
    evidence.facts.available = 20'000'000'000;  // for 20,000 steps
    evidence.facts.seconds = 1.0;
    evidence.facts.length = 10'000.0;
    EXPECT_TRUE(causes_of(explain_memory, evidence).empty());
    evidence.facts.length = 100'000.0;
    EXPECT_EQ(causes_of(explain_memory, evidence), Names{"memory"});
}

// The healthy network, of which one convolution takes half of a step for little work.
Evidence with_poor_layer() {
    Evidence evidence = healthy();
    const double step = evidence.facts.seconds;
    evidence.facts.operations = {
        {.layer = "conv2d_2", .direction = {}, .seconds = 0.5 * step, .flop = 0.0, .limit = 0.01 * step},
        {.layer = "residual/conv2d", .direction = {}, .seconds = 0.1 * step, .flop = 0.0, .limit = 0.05 * step},
        {.layer = "residual_2/conv2d", .direction = {}, .seconds = 0.1 * step, .flop = 0.0, .limit = 0.05 * step},
        {.layer = "loss", .direction = {}, .seconds = 0.2 * step, .flop = 0.0, .limit = 0.1 * step}};
    return evidence;
}

TEST(DiagnoseLayers, are_left_out_if_they_take_more_than_their_work_needs) {
    Evidence evidence = with_poor_layer();
    EXPECT_EQ(wanted_by(propose_layers, evidence), (Names{"without layer conv2d_2", "mean_absolute_error"}));
    Proposals proposals;
    propose_layers(evidence, proposals);
    const config::PipelineSpec& spec = evidence.spec;
    const Table* const model = spec.resolved.find("model")->as_table();
    const std::size_t layers = model->find("layers")->as_array()->size();
    EXPECT_EQ(std::ranges::count(proposals.wanted.front().sets.front(), '{'), static_cast<std::ptrdiff_t>(layers) - 1);
    EXPECT_TRUE(causes_of(explain_layers, evidence).empty());
    add_ratio(evidence, "without layer conv2d_2", 0.55);
    EXPECT_EQ(causes_of(explain_layers, evidence), Names{"layer"});
    add_ratio(evidence, "mean_absolute_error", 0.7);
    EXPECT_EQ(causes_of(explain_layers, evidence), (Names{"layer", "loss"}));
}

TEST(DiagnoseLayers, are_not_examined_if_something_else_hides_them) {
    Evidence evidence = with_poor_layer();
    add_ratio(evidence, "replay", 0.5);
    EXPECT_TRUE(wanted_by(propose_layers, evidence).empty());
    EXPECT_STREQ(hides_network(evidence), "replay");
}

}  // namespace
}  // namespace sluice::diagnose
