// An observer that does not return is named once, and abandoned only if the run waits for it.
#include "observe/observer_watch.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace sluice::observe {
namespace {

using namespace std::chrono_literals;

class ObserverWatchTest : public testing::Test {
protected:
    // Runs `work` and returns what was logged.
    template <class Work>
    std::string log_of(const Work& work) {
        testing::internal::CaptureStderr();
        work();
        return testing::internal::GetCapturedStderr();
    }

    registry::PluginManifest plugin_;
    registry::Component slow_{nullptr, &plugin_, nullptr, nullptr, nullptr, "slow (test.slow 1.0)"};
    ObserverWatch watch_{ObserverTimeouts{.warn = 20ms, .give_up = 60ms}};
};

TEST_F(ObserverWatchTest, warns_once_of_a_long_callback_and_abandons_no_observer_unless_the_run_waits) {
    const std::string log = log_of([&] {
        EXPECT_TRUE(watch_.check());
        watch_.enter(slow_);
        EXPECT_TRUE(watch_.check());
        std::this_thread::sleep_for(100ms);
        EXPECT_TRUE(watch_.check());
        EXPECT_TRUE(watch_.check());
        watch_.leave();
        EXPECT_TRUE(watch_.check());
    });
    const std::string warning = "W observer slow (test.slow 1.0) has been handling one event for";
    EXPECT_NE(log.find(warning), std::string::npos) << log;
    EXPECT_EQ(log.find(warning), log.rfind(warning)) << log;
    EXPECT_EQ(log.find("E "), std::string::npos) << log;
    EXPECT_EQ(watch_.unfinished(), "");
}

TEST_F(ObserverWatchTest, abandons_an_observer_if_the_run_waits_longer_than_its_timeout) {
    const std::string log = log_of([&] {
        watch_.enter(slow_);
        EXPECT_FALSE(watch_.wait_for([](ObserverWatch::Clock::duration most) {
            std::this_thread::sleep_for(most);
            return false;
        }));
        EXPECT_FALSE(watch_.check());
    });
    EXPECT_NE(log.find("E observer slow (test.slow 1.0) did not return from an event within 0.06 s"), std::string::npos)
        << log;
    EXPECT_EQ(watch_.unfinished(), "observer slow (test.slow 1.0) did not return from an event");
}

TEST_F(ObserverWatchTest, says_that_training_waits_if_it_does) {
    ObserverWatch watch(ObserverTimeouts{.warn = 1ms, .give_up = 10s}, true);
    const std::string log = log_of([&] {
        watch.enter(slow_);
        std::this_thread::sleep_for(5ms);
        EXPECT_TRUE(watch.check());
        watch.leave();
    });
    EXPECT_NE(log.find("training waits (hold = true) for this event until 10 s have passed"), std::string::npos) << log;
}

TEST_F(ObserverWatchTest, waits_until_the_wait_succeeds) {
    int waits = 0;
    EXPECT_TRUE(watch_.wait_for([&](ObserverWatch::Clock::duration) { return ++waits == 3; }));
    EXPECT_EQ(waits, 3);
}

TEST_F(ObserverWatchTest, joins_the_reasons_of_incomplete_output) {
    watch_.add_unfinished("first");
    watch_.add_unfinished("second");
    EXPECT_EQ(watch_.unfinished(), "first; second");
}

}  // namespace
}  // namespace sluice::observe
