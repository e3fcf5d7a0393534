#include "compare/condition.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"

namespace sluice::compare {
namespace {

std::string refusal(const std::string& text) {
    try {
        parse_condition(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit(), Exit::config);
        return error.what();
    }
    return "accepted";
}

std::vector<Figure> figures() {
    const Estimate a{.mean = 1.0, .error = 0.01, .freedom = 30.0};
    const Estimate b{.mean = 1.1, .error = 0.01, .freedom = 30.0};
    return {{.name = "step_seconds", .runs = {a, b}},
            {.name = "loss", .runs = {a, {}}},
            {.name = "lost", .runs = {a, {.mean = 1.0, .is_lost = true}}},
            {.name = "found", .runs = {{.mean = 1.0, .is_lost = true}, a}}};
}

bool met(const std::string& text) { return is_met(parse_condition(text), figures(), 0, 1, "B"); }

TEST(Condition, is_a_ratio_a_percentage_or_a_difference) {
    const Condition ratio = parse_condition("step_seconds > 1.05x");
    EXPECT_EQ(ratio.figure, "step_seconds");
    EXPECT_TRUE(ratio.is_above);
    EXPECT_EQ(ratio.bound, 1.05);
    EXPECT_EQ(ratio.scale, Condition::Scale::ratio);
    EXPECT_DOUBLE_EQ(parse_condition("step_seconds>+5 %").bound, 1.05);
    const Condition difference = parse_condition("validation.psnr < -0.1");
    EXPECT_FALSE(difference.is_above);
    EXPECT_EQ(difference.bound, -0.1);
    EXPECT_EQ(difference.scale, Condition::Scale::difference);
}

TEST(Condition, is_refused_with_what_would_be_right) {
    EXPECT_NE(refusal("step_seconds 1.05x").find("neither > nor <"), std::string::npos);
    EXPECT_NE(refusal("> 1").find("no figure before the sign"), std::string::npos);
    for (const char* const text : {"loss > ", "loss > x", "loss > 1.0.0", "loss > nan", "loss > 1 2", "loss >= 1",
                                   "loss > 1e999", "loss > +-1"}) {
        EXPECT_NE(refusal(text).find("is no number; right are 'step_seconds > 1.05x'"), std::string::npos) << text;
    }
    EXPECT_NE(refusal("loss > -2x").find("a ratio of -2 is not possible"), std::string::npos);
}

TEST(Condition, is_met_if_the_whole_interval_is_beyond) {
    EXPECT_TRUE(met("step_seconds > 1.05x"));
    EXPECT_FALSE(met("step_seconds > 1.08x"));  // the ratio is 1.1, but its interval begins below
    EXPECT_FALSE(met("step_seconds > 1.2x"));
    EXPECT_TRUE(met("step_seconds > 0.05"));
    EXPECT_TRUE(met("step_seconds < 1.2x"));
    EXPECT_FALSE(met("step_seconds < 1.12x"));
}

TEST(Condition, is_met_if_only_the_other_run_has_lost_the_figure) {
    EXPECT_TRUE(met("lost > 100"));
    EXPECT_TRUE(met("lost < -100"));
    EXPECT_FALSE(met("found > -100"));
}

TEST(Condition, needs_its_figure) {
    EXPECT_THROW(met("step_second > 1x"), Error);
    EXPECT_THROW(met("loss > 1x"), Error);  // the other run has none
}

}  // namespace
}  // namespace sluice::compare
