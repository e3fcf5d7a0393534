// Summary of the usage figures that a device reports while steps run.
#include <gtest/gtest.h>

#include <cstring>

#include "bench/usage_watch.hpp"

namespace sluice::bench {
namespace {

sluice_usage_figures answer(double busy, double watts, double celsius, double bytes, const char* limit) {
    sluice_usage_figures figures{.struct_size = sizeof(figures),
                                 .busy_share = busy,
                                 .used_bytes = bytes,
                                 .power_watts = watts,
                                 .celsius = celsius,
                                 .clock_hertz = -1.0,
                                 .limit = {}};
    std::strncpy(figures.limit, limit, sizeof(figures.limit) - 1);
    return figures;
}

TEST(Usage, middle_of_what_varies_and_most_of_what_grows) {
    const Usage usage = summarize({answer(0.2, 300.0, 50.0, 1e9, ""), answer(0.99, 700.0, 61.0, 3e9, "heat"),
                                   answer(0.98, 690.0, 60.0, 2e9, "power")});
    EXPECT_EQ(usage.answers, 3U);
    EXPECT_EQ(usage.busy_share, 0.98);
    EXPECT_EQ(usage.power_watts, 690.0);
    EXPECT_EQ(usage.celsius, 61.0);
    EXPECT_EQ(usage.used_bytes, 3e9);
    EXPECT_EQ(usage.limit, "power");
}

TEST(Usage, of_answers_that_know_a_figure) {
    const Usage usage = summarize({answer(-1.0, 300.0, -1.0, 0.0, ""), answer(0.5, -1.0, -1.0, 0.0, "")});
    EXPECT_EQ(usage.busy_share, 0.5);
    EXPECT_EQ(usage.power_watts, 300.0);
    EXPECT_EQ(usage.used_bytes, 0.0);
    EXPECT_EQ(usage.celsius, -1.0);
    EXPECT_EQ(usage.clock_hertz, -1.0);
}

}  // namespace
}  // namespace sluice::bench
