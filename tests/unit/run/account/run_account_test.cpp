// The account of a run's time.
#include "run/account/run_account.hpp"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

profile::StageSeconds spent(profile::Stage stage, double seconds) {
    profile::StageSeconds all;
    all[stage] = seconds;
    return all;
}

TEST(RunAccount, adds_up_phases_and_their_stages) {
    run::RunAccount account;
    account.add(run::Phase::start, spent(profile::Stage::other, 2.0));
    account.add(run::Phase::steps, spent(profile::Stage::forward, 3.0));
    account.add(run::Phase::steps, spent(profile::Stage::backward, 4.0));
    account.add(run::Phase::steps, spent(profile::Stage::other, 1.0));
    EXPECT_DOUBLE_EQ(account.total(), 10.0);
    EXPECT_DOUBLE_EQ(account.of(run::Phase::steps)[profile::Stage::forward], 3.0);
    EXPECT_DOUBLE_EQ(account.other_seconds(), 1.0);  // the start has no stages
}

TEST(RunAccount, words_each_phase_with_its_largest_stage_first) {
    run::RunAccount account;
    account.add(run::Phase::start, spent(profile::Stage::other, 2.0));
    account.add(run::Phase::steps, spent(profile::Stage::forward, 2.0));
    account.add(run::Phase::steps, spent(profile::Stage::backward, 6.0));
    account.set_input_work(3.0, 0.5);
    const std::vector<std::string> lines = account.lines("plugins 1.50 s, network 0.50 s");
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0], "start 20.0 % (2.00 s): plugins 1.50 s, network 0.50 s");
    EXPECT_EQ(lines[1], "steps 80.0 % (8.00 s): backward 75.0 %, forward 25.0 %");
    EXPECT_EQ(lines[2], "beside the loop, input threads read for 3.00 s and transformed for 0.50 s");
}

TEST(RunAccount, has_no_lines_for_no_time) { EXPECT_TRUE(run::RunAccount().lines({}).empty()); }

}  // namespace
}  // namespace sluice::test
