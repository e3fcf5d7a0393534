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

}  // namespace
}  // namespace sluice::observe
