// What messages about a stall say.
#include "data/loader/stall_text.hpp"

#include <gtest/gtest.h>

namespace sluice::data {
namespace {

TEST(stall_text, has_tenths_of_a_second_only_below_ten) {
    EXPECT_EQ(seconds_text(0.0), "0.1");
    EXPECT_EQ(seconds_text(0.42), "0.4");
    EXPECT_EQ(seconds_text(9.0), "9.0");
    EXPECT_EQ(seconds_text(61.4), "61");
}

TEST(stall_text, joins_the_places_of_threads) {
    EXPECT_EQ(places_text({}), "no thread is working on a sample");
    EXPECT_EQ(places_text({"a thread is at 'decode'", "a thread is at 'resize'"}),
              "a thread is at 'decode', a thread is at 'resize'");
}

TEST(stall_text, leaves_out_a_thread_that_is_in_no_stage) {
    const std::vector<std::string> stages = {"photos", "decode"};
    StageTimes times(2);
    std::vector<std::string> places;
    add_place(times, stages, "sample", places);
    EXPECT_TRUE(places.empty());
    times.enter(1, 17);
    add_place(times, stages, "sample", places);
    ASSERT_EQ(places.size(), 1U);
    EXPECT_EQ(places[0].find("a thread is at 'decode' of sample 17 for "), 0U);
}

}  // namespace
}  // namespace sluice::data
