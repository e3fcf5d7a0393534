#include "compare/comparison.hpp"

#include "compare/comparison_json.hpp"
#include "compare/comparison_page.hpp"
#include "compare/comparison_text.hpp"
#include "unit/compare/made_runs.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sluice::compare {
namespace {

class ComparisonOfRuns : public MadeRuns {
protected:
    static std::vector<history::RunRecord> pair(const MadeRun& a, const MadeRun& b) {
        std::vector<history::RunRecord> runs;
        runs.push_back(make("a", a));
        runs.push_back(make("b", b));
        return runs;
    }
    static Runs pointers(const std::vector<history::RunRecord>& runs) {
        Runs pointers;
        std::ranges::transform(runs, std::back_inserter(pointers), [](const history::RunRecord& run) { return &run; });
        return pointers;
    }
    static std::string verdict(const MadeRun& a, const MadeRun& b) {
        return compare(pointers(pair(a, b))).others.at(0).verdict;
    }
};

TEST_F(ComparisonOfRuns, finds_nothing_between_equal_runs) {
    int equal = 0;
    for (std::uint32_t trial = 0; trial < 20; ++trial) {
        equal +=
            verdict({.seed = 2 * trial + 1}, {.seed = 2 * trial + 2}).starts_with("no difference beyond noise") ? 1 : 0;
    }
    EXPECT_GE(equal, 19);
}

TEST_F(ComparisonOfRuns, names_the_stage_that_is_a_tenth_slower) {
    int named = 0;
    for (std::uint32_t trial = 0; trial < 20; ++trial) {
        const std::string text = verdict({.seed = 2 * trial + 1}, {.seed = 2 * trial + 2, .slower_backward = 1.1});
        named +=
            text.find("backward takes") != std::string::npos && text.find("forward takes") == std::string::npos ? 1 : 0;
    }
    EXPECT_GE(named, 19);
}

TEST_F(ComparisonOfRuns, names_the_score_that_is_worse) {
    const std::string text = verdict({.seed = 1}, {.seed = 2, .psnr = 28.0});
    EXPECT_NE(text.find("validation psnr is"), std::string::npos) << text;
    EXPECT_NE(text.find("lower"), std::string::npos) << text;
}

TEST_F(ComparisonOfRuns, names_what_is_no_number_any_more) {
    const std::string text = verdict({.seed = 1}, {.seed = 2, .diverges_at = 250});
    EXPECT_NE(text.find("its training loss is no number at its end"), std::string::npos) << text;
    EXPECT_NE(text.find("its validation psnr is no number at its end"), std::string::npos) << text;
}

TEST_F(ComparisonOfRuns, of_runs_without_steps_says_that_they_are_too_few) {
    EXPECT_EQ(verdict({.steps = 0}, {.steps = 0}), "too few steps and evaluations were recorded to compare the runs");
    EXPECT_EQ(verdict({.steps = 3}, {.steps = 300}),
              "too few steps and evaluations were recorded to compare the runs; it has 300 steps, the first run 3");
}

TEST_F(ComparisonOfRuns, has_text_json_and_page) {
    const std::vector<history::RunRecord> runs =
        pair({.seed = 1}, {.seed = 2, .slower_backward = 1.2, .pipeline = "name = \"made\"\n[data]\nbatch = 8\n"});
    const Comparison comparison = compare(pointers(runs));
    const std::string text = to_text(comparison);
    for (const char* const part : {"A  a: killed, step 300 of 300", "data.batch", "backward", "validation psnr",
                                   "resident memory", "B against A: a step takes 1.1"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
    const nlohmann::json json = nlohmann::json::parse(to_json(comparison));
    EXPECT_EQ(json["runs"][1]["folder"], "b");
    EXPECT_EQ(json["settings"][0]["key"], "data.batch");
    EXPECT_EQ(json["settings"][0]["values"], (nlohmann::json{"4", "8"}));
    const nlohmann::json& changes = json["others"][0]["changes"];
    const auto backward = std::ranges::find_if(
        changes, [](const nlohmann::json& change) { return change["figure"] == "backward_seconds"; });
    ASSERT_NE(backward, changes.end());
    EXPECT_NEAR((*backward)["ratio"]["value"].get<double>(), 1.2, 0.05);
    EXPECT_TRUE((*backward)["beyond_noise"].get<bool>());
    const report::Page page = comparison_page(comparison, pointers(runs));
    EXPECT_NE(page.verdict.find("backward takes"), std::string::npos) << page.verdict;
    const auto curves = std::ranges::find(page.sections, "Curves", &report::Section::title);
    ASSERT_NE(curves, page.sections.end());
    EXPECT_EQ(curves->charts.at(0).lines.size(), 2U);
    EXPECT_EQ(curves->charts.at(0).lines.at(1).name, "B: b");
}

TEST_F(ComparisonOfRuns, takes_more_than_two) {
    std::vector<history::RunRecord> runs = pair({.seed = 1}, {.seed = 2});
    runs.push_back(make("c", {.seed = 3, .slower_backward = 1.3}));
    const Comparison comparison = compare(pointers(runs));
    ASSERT_EQ(comparison.others.size(), 2U);
    EXPECT_TRUE(comparison.others[0].verdict.starts_with("no difference beyond noise"));
    EXPECT_NE(comparison.others[1].verdict.find("backward takes"), std::string::npos);
}

}  // namespace
}  // namespace sluice::compare
