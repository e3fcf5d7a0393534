#include "compare/change_text.hpp"

#include <gtest/gtest.h>

namespace sluice::compare {
namespace {

TEST(ChangeText, says_what_became_of_a_figure) {
    const Estimate a{.mean = 0.010, .error = 0.0001, .freedom = 1000.0};
    const Estimate b{.mean = 0.012, .error = 0.0001, .freedom = 1000.0};
    EXPECT_EQ(change_text({.title = "forward", .unit = "s", .kind = FigureKind::stage}, contrast(a, b), 1),
              "forward takes 2 ms longer (1.72 ms to 2.28 ms)");
    EXPECT_EQ(change_text({.title = "forward", .unit = "s", .kind = FigureKind::stage}, contrast(b, a), 1),
              "forward takes 2 ms less (1.72 ms to 2.28 ms)");
    EXPECT_EQ(change_text({.title = "step", .unit = "s", .kind = FigureKind::step}, contrast(a, b), 1),
              "a step takes 1.2 times as long (1.17 to 1.23)");
    EXPECT_EQ(change_text({.title = "psnr", .kind = FigureKind::score}, contrast(b, a), 1),
              "validation psnr is 0.002 lower (0.001723 to 0.002277)");
}

TEST(ChangeText, gives_shares_before_and_after) {
    const Estimate a{.mean = 0.4, .error = 0.001, .freedom = 1000.0};
    const Estimate b{.mean = 0.45, .error = 0.001, .freedom = 1000.0};
    EXPECT_EQ(change_text({.title = "forward, share", .unit = "share", .kind = FigureKind::share, .runs = {a, b}},
                          contrast(a, b), 1),
              "forward takes 45 % of a step instead of 40 % (4.7 to 5.3 points more)");
}

TEST(ChangeText, has_no_interval_without_an_error) {
    const Figure memory{.title = "resident memory", .unit = "B", .kind = FigureKind::memory};
    EXPECT_EQ(estimate_text(memory, {.mean = 2097152.0}), "2.0 MiB");
    EXPECT_EQ(range_text(memory, contrast({.mean = 1.0}, {.mean = 2.0})), "");
    EXPECT_EQ(estimate_text(memory, {}), "-");
}

TEST(ChangeText, names_runs_by_letters) {
    EXPECT_EQ(run_letter(0), "A");
    EXPECT_EQ(run_letter(25), "Z");
}

}  // namespace
}  // namespace sluice::compare
