// How two processes of a training differ.
#include "run/membership/agreement.hpp"

#include <gtest/gtest.h>

namespace sluice::run {
namespace {

TEST(RunAgreement, names_the_first_values_that_differ) {
    const Traits first{{"program", "", "a"}, {"pipeline", "seed", "30"}, {"pipeline", "data.batch", "4"}};
    const Traits other{{"program", "", "a"}, {"pipeline", "seed", "31"}, {"pipeline", "data.batch", "5"}};
    EXPECT_EQ(difference(1, first, first), "");
    EXPECT_EQ(difference(1, first, other),
              "process 1 has another pipeline than process 0: seed = 31, not 30; data.batch = 5, not 4");
    EXPECT_EQ(difference(2, {{"program", "", "a"}}, {{"program", "", "b"}}),
              "process 2 has another program than process 0: b, not a");
}

TEST(RunAgreement, finds_what_only_one_process_has) {
    for (const char* const value : {"on", "nothing"}) {
        const Traits with{{"pipeline", "device.pin", value}};
        EXPECT_EQ(difference(1, with, {}).find("process 1 has another pipeline than process 0: device.pin = nothing"),
                  0U);
        EXPECT_EQ(difference(1, {}, with).find("process 1 has another pipeline than process 0: device.pin = "), 0U);
    }
}

}  // namespace
}  // namespace sluice::run
