// A waiting thread of a team spins for at most 100 us and then sleeps. The tests measure CPU time, which a busy machine
// does not make longer.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "pipeline_test.hpp"
#include "run/network/threads.hpp"

namespace sluice::test {
namespace {

using namespace std::chrono_literals;

double cpu_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The turns range from the fastest pause of a CPU to a slow one under a sanitizer.
TEST(Spin, takes_100_us_on_every_machine) {
    for (const double turn : {0.5e-9, 2e-9, 11e-9, 40e-9, 1e-6}) {
        const double seconds = turn * static_cast<double>(run::spin_turns(turn));
        EXPECT_LE(seconds, 100e-6) << turn;
        EXPECT_GT(seconds, 98e-6) << turn;
    }
    EXPECT_EQ(run::spin_turns(1.0), 1);
    EXPECT_GT(run::spin_turns(0.0), 1);
}

// Both threads compute 200 times, with pauses of 5 ms, as between the steps of a training. The OpenMP runtime by itself
// would spin through the pauses.
TEST(Spin, does_not_go_on_between_steps) {
    ::unsetenv("GOMP_SPINCOUNT");
    ::unsetenv("OMP_WAIT_POLICY");
    ASSERT_TRUE(run::bound_spinning());
    const run::Threads threads(2);
    const double before = cpu_seconds();
    for (int step = 0; step < 200; ++step) {
        threads.api()->parallel_for(
            threads.api(), 2, 1, [](void*, std::int64_t, std::int64_t, std::uint32_t) noexcept {}, nullptr);
        std::this_thread::sleep_for(5ms);
    }
    EXPECT_LT(cpu_seconds() - before, 0.3) << "CPU seconds in more than 1 s of pauses";
}

class SpinOfHost : public PipelineTest {};

TEST_F(SpinOfHost, is_bounded_before_any_plugin_is_loaded_and_left_to_the_user) {
    const auto turns_of = [](const Finished& doctor) {
        const std::string label = "spins for ";
        const std::size_t at = doctor.out.find(label);
        EXPECT_NE(at, std::string::npos) << doctor.out;
        return std::atol(doctor.out.c_str() + at + label.size());
    };
    ::unsetenv("GOMP_SPINCOUNT");
    ::unsetenv("OMP_WAIT_POLICY");
    process_options().environment["GOMP_SPINCOUNT"] = "123";
    EXPECT_EQ(turns_of(host({"doctor"})), 123);
    process_options().environment.erase("GOMP_SPINCOUNT");
    const long turns = turns_of(host({"doctor"}));
    EXPECT_GE(turns, 1);
    EXPECT_LE(turns, run::spin_turns(0.0));
}

}  // namespace
}  // namespace sluice::test
