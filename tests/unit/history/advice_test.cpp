#include "history/advice.hpp"

#include <gtest/gtest.h>

namespace sluice::history {
namespace {

TEST(Advice, names_the_next_command_for_a_state) {
    EXPECT_NE(advice_on("runs/a", RunState::killed).find("resume runs/a"), std::string::npos);
    EXPECT_NE(advice_on("runs/a", RunState::running).find("profile runs/a --steps 5"), std::string::npos);
    EXPECT_NE(advice_on("runs/a", RunState::finished).find("resume runs/a --set train.epochs=N"), std::string::npos);
    EXPECT_NE(advice_on("runs/a", RunState::diverged).find("runs/a/log.txt"), std::string::npos);
    EXPECT_EQ(advice_on("runs/\033a", RunState::killed).find('\033'), std::string::npos);
    EXPECT_NE(advice_on("$(run) it's", RunState::killed).find("resume '$(run) it'\\''s'"), std::string::npos);
}

TEST(Advice, is_about_the_run_that_needs_something) {
    const RunSummary finished{.folder = "a", .state = RunState::finished};
    const RunSummary running{.folder = "b", .state = RunState::running};
    const RunSummary killed{.folder = "c", .state = RunState::killed};
    EXPECT_EQ(advice_on(std::vector<RunSummary>()), "");
    EXPECT_NE(advice_on(std::vector{finished}).find("resume a"), std::string::npos);
    EXPECT_NE(advice_on(std::vector{finished, finished}).find("compare a a"), std::string::npos);
    EXPECT_NE(advice_on(std::vector{finished, running}).find("profile b"), std::string::npos);
    EXPECT_NE(advice_on(std::vector{running, killed}).find("resume c"), std::string::npos);
}

}  // namespace
}  // namespace sluice::history
