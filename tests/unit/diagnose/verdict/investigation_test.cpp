// The choice of experiments, with measurements that a function makes up.
#include "diagnose/verdict/investigation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/files.hpp"

namespace sluice::diagnose {
namespace {

// The facts of a stored case without its results.
Evidence facts_of_case(const std::string& name) {
    const std::filesystem::path file = std::filesystem::path(SLUICE_STORED_EVIDENCE) / (name + ".json");
    Evidence evidence = evidence_of(read_file(file), file.string());
    evidence.results.clear();
    return evidence;
}

// A training in which variants take the given ratios, and all others the time of the pipeline.
struct MadeUp {
    std::map<std::string, double> ratios{};
    std::vector<std::vector<std::string>> asked{};

    std::vector<Result> measure(const std::vector<Variant>& variants) {
        std::vector<Result> results;
        asked.emplace_back();
        for (const Variant& variant : variants) {
            const auto known = ratios.find(variant.name);
            const double ratio = known != ratios.end() ? known->second : 1.0;
            results.push_back({.variant = variant,
                               .ratio = {.value = ratio, .low = ratio - 0.01, .high = ratio + 0.01, .rounds = 20},
                               .failure = {},
                               .seconds = 1.0});
            asked.back().push_back(variant.name);
        }
        return results;
    }
    Investigation run(Evidence evidence, std::size_t most = 100) {
        std::size_t left = most;
        return investigate(
            std::move(evidence), [&](const std::vector<Variant>& variants) { return measure(variants); },
            [&](const std::vector<Variant>& variants) {
                const bool has = variants.size() <= left;
                left -= has ? variants.size() : 0;
                return has;
            });
    }
    [[nodiscard]] bool has_asked(const std::string& name) const {
        return std::ranges::any_of(
            asked, [&](const std::vector<std::string>& some) { return std::ranges::find(some, name) != some.end(); });
    }
};

TEST(DiagnoseInvestigation, asks_no_more_about_an_input_that_costs_nothing) {
    MadeUp machine;
    const Investigation investigation = machine.run(facts_of_case("transform"));
    EXPECT_TRUE(machine.has_asked("replay"));
    EXPECT_FALSE(machine.has_asked("cache in memory"));
    EXPECT_TRUE(std::ranges::any_of(investigation.skipped, [](const Skipped& one) {
        return one.name == "stages of the input" && !one.why.empty();
    }));
}

TEST(DiagnoseInvestigation, asks_about_the_stages_of_an_input_that_costs_time) {
    MadeUp machine{.ratios = {{"replay", 0.5}}};
    EXPECT_TRUE(machine.run(facts_of_case("transform")).unfinished.empty());
    EXPECT_TRUE(machine.has_asked("cache in memory"));
}

TEST(DiagnoseInvestigation, asks_for_larger_batches_while_they_pay) {
    MadeUp nothing;
    nothing.run(facts_of_case("small batch"));
    EXPECT_TRUE(nothing.has_asked("batch x4"));
    EXPECT_FALSE(nothing.has_asked("batch x8"));
    MadeUp pays{.ratios = {{"batch x4", 0.7}, {"batch x2", 0.8}, {"batch x8", 0.6}}};
    pays.run(facts_of_case("small batch"));
    EXPECT_TRUE(pays.has_asked("batch x2"));
    EXPECT_TRUE(pays.has_asked("batch x8"));
    EXPECT_TRUE(pays.has_asked("batch x16"));
}

TEST(DiagnoseInvestigation, measures_a_variant_alone_that_drops_the_page_cache) {
    MadeUp machine{.ratios = {{"replay", 0.5}}};
    Evidence evidence = facts_of_case("source");
    evidence.facts.has_files = true;
    machine.run(std::move(evidence));
    EXPECT_TRUE(machine.has_asked("input alone, cold"));
    for (const std::vector<std::string>& group : machine.asked) {
        EXPECT_TRUE(group.size() == 1 || std::ranges::find(group, "input alone, cold") == group.end());
    }
}

TEST(DiagnoseInvestigation, names_what_it_had_no_time_for) {
    MadeUp machine{.ratios = {{"replay", 0.5}}};
    const Investigation investigation = machine.run(facts_of_case("transform"), 1);
    EXPECT_EQ(investigation.evidence.results.size(), 1U);
    EXPECT_FALSE(investigation.unfinished.empty());
}

TEST(DiagnoseInvestigation, measures_no_variant_twice) {
    MadeUp machine{.ratios = {{"replay", 0.5}, {"no observers", 0.9}, {"batch x4", 0.6}}};
    const Investigation investigation = machine.run(facts_of_case("observer"));
    std::vector<std::string> names;
    for (const Result& result : investigation.evidence.results) {
        names.push_back(result.variant.name);
    }
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

}  // namespace
}  // namespace sluice::diagnose
