// The policy that rounds of measurements choose, with invented times.
#include "run/tuning/policy_rounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace sluice::test {
namespace {

// A machine on which a step of each policy takes the given seconds, but longer in some turns.
struct Machine {
    std::vector<std::string> names{"float32", "mixed_bfloat16"};
    std::vector<double> seconds{1.0, 0.8};
    std::function<double(std::size_t i, std::size_t turn)> disturbance = [](std::size_t, std::size_t) { return 1.0; };
    std::vector<std::size_t> turns{};  // the policy of each turn

    std::vector<run::PolicyTime> measure() {
        turns.clear();
        return run::measure_in_rounds(names, [this](std::size_t i) {
            turns.push_back(i);
            return seconds[i] * disturbance(i, turns.size() - 1);
        });
    }
    std::string choose() { return run::choose_fastest(measure()).name; }
};

TEST(RunPolicyRounds, every_policy_has_its_turn_in_each) {
    Machine machine{.names = {"float32", "mixed_bfloat16", "mixed_float16"}, .seconds = {3.0, 1.0, 2.0}};
    const std::vector<run::PolicyTime> times = machine.measure();
    ASSERT_EQ(machine.turns.size(), 15);  // long steps get only five rounds
    for (std::size_t round = 0; round < 5; ++round) {
        const auto begin = machine.turns.begin() + static_cast<std::ptrdiff_t>(3 * round);
        EXPECT_TRUE(std::is_permutation(begin, begin + 3, std::begin({0, 1, 2}))) << round;
    }
    EXPECT_NE(machine.turns[3], machine.turns[0]);  // no policy is always the first
    EXPECT_EQ(times[1].seconds, 1.0);
    EXPECT_EQ(times[2].share, 2.0 / 3.0);
}

TEST(RunPolicyRounds, of_short_steps_are_more) {
    Machine machine{.seconds = {1e-3, 1e-3}};
    machine.measure();
    EXPECT_EQ(machine.turns.size(), 30);
}

TEST(RunPolicyRounds, a_disturbed_round_does_not_change_the_choice) {
    for (std::size_t disturbed = 0; disturbed < 10; ++disturbed) {
        for (const double factor : {0.1, 10.0}) {
            const auto once = [&](std::size_t, std::size_t turn) { return turn == disturbed ? factor : 1.0; };
            EXPECT_EQ((Machine{.disturbance = once}.choose()), "mixed_bfloat16") << disturbed << " x" << factor;
            EXPECT_EQ((Machine{.seconds = {1.0, 1.1}, .disturbance = once}.choose()), "float32")
                << disturbed << " x" << factor;
        }
    }
}

TEST(RunPolicyRounds, a_machine_that_gets_slower_does_not_change_the_choice) {
    const auto slower = [](std::size_t, std::size_t turn) { return 1.0 + 0.2 * static_cast<double>(turn); };
    EXPECT_EQ((Machine{.disturbance = slower}.choose()), "mixed_bfloat16");
    EXPECT_EQ((Machine{.seconds = {1.0, 1.0}, .disturbance = slower}.choose()), "float32");
    Machine reversed{.names = {"mixed_bfloat16", "float32"}, .seconds = {1.0, 1.0}, .disturbance = slower};
    EXPECT_EQ(reversed.choose(), "float32");
}

TEST(RunPolicyRounds, float32_stays_if_the_others_gain_in_only_half_of_the_rounds) {
    const auto at_random = [](std::size_t i, std::size_t turn) { return i == 1 && turn % 4 < 2 ? 0.5 : 1.0; };
    EXPECT_EQ((Machine{.seconds = {1.0, 1.0}, .disturbance = at_random}.choose()), "float32");
}

TEST(RunPolicyRounds, a_policy_that_fails_is_not_taken) {
    const double failed = std::numeric_limits<double>::infinity();
    EXPECT_EQ((Machine{.seconds = {1.0, failed}}.choose()), "float32");
    Machine first{.names = {"mixed_float16", "mixed_bfloat16"}, .seconds = {failed, 1.0}};
    EXPECT_EQ(first.choose(), "mixed_bfloat16");
}

TEST(RunPolicyRounds, takes_float32_in_doubt) {
    EXPECT_EQ((Machine{.seconds = {1.00, 0.96}}.choose()), "float32");
    Machine clear{.names = {"mixed_float16", "float32", "mixed_bfloat16"}, .seconds = {0.94, 1.00, 0.90}};
    EXPECT_EQ(clear.choose(), "mixed_bfloat16");
    Machine others{.names = {"mixed_bfloat16", "mixed_float16"}, .seconds = {1.00, 0.99}};
    EXPECT_EQ(others.choose(), "mixed_float16");
}

}  // namespace
}  // namespace sluice::test
