// The time that the run waits for observers, by its reason.
#include "observe/run_waits.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::observe {
namespace {

using namespace std::chrono_literals;

TEST(RunWaits, add_up_by_their_reason) {
    RunWaits waits;
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(waits.count_flush([] {
            std::this_thread::sleep_for(20ms);
            return 7;
        }),
                  7);
    }
    EXPECT_GE(waits.figures().flush_seconds, 0.04);
    EXPECT_EQ(waits.figures().room_seconds, 0.0);
    EXPECT_FALSE(waits.count_room([] {
        std::this_thread::sleep_for(10ms);
        return false;
    }));
    EXPECT_GE(waits.figures().room_seconds, 0.01);
    EXPECT_DOUBLE_EQ(waits.figures().total(), waits.figures().flush_seconds + waits.figures().room_seconds);
}

// The figures before and after a callback differ by the time that the run waited meanwhile.
TEST(RunWaits, contain_a_wait_that_still_lasts) {
    RunWaits waits;
    RunWaits::Figures during;
    waits.count_flush([&] {
        const RunWaits::Figures before = waits.figures();
        std::this_thread::sleep_for(20ms);
        during.add_difference(waits.figures(), before);
        return true;
    });
    EXPECT_GE(during.flush_seconds, 0.02);
    EXPECT_LE(during.flush_seconds, waits.figures().flush_seconds);
    EXPECT_EQ(during.room_seconds, 0.0);
    const RunWaits::Figures after = waits.figures();
    std::this_thread::sleep_for(5ms);
    EXPECT_EQ(waits.figures().total(), after.total());
}

}  // namespace
}  // namespace sluice::observe
