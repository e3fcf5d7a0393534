// The search over the knobs of a pipeline, on machines that a function makes up.
#include "diagnose/tune/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace sluice::diagnose {
namespace {

Knob knob(const std::string& name, int choices) {
    Knob made{.name = name, .choices = {}};
    for (int i = 0; i < choices; ++i) {
        made.choices.push_back({.text = name + " " + std::to_string(i), .sets = {name + "=" + std::to_string(i)}});
    }
    return made;
}

bool has(const Variant& variant, const std::string& set) {
    return std::ranges::find(variant.sets, set) != variant.sets.end();
}

// A machine on which a sample takes `time` of the given pipeline's, measured with noise that time reduces.
class Machine {
public:
    explicit Machine(std::function<double(const Variant&)> time, double noise = 0.0)
        : time_(std::move(time)), noise_(noise) {}

    Tuned tune(const std::vector<Knob>& knobs, const Variant& start, double budget = 1e9) {
        double left = budget;
        return search(
            knobs, start,
            [&](const std::vector<Variant>& variants, double seconds) {
                left -= seconds * static_cast<double>(variants.size());
                return measure(variants, seconds);
            },
            [&](std::size_t variants, double seconds) { return seconds * static_cast<double>(variants) <= left; });
    }

private:
    std::vector<Result> measure(const std::vector<Variant>& variants, double seconds) {
        std::vector<Result> results;
        for (const Variant& variant : variants) {
            const double error = noise_ / std::sqrt(seconds);
            const double value = time_(variant) * std::exp(error * normal_(random_));
            results.push_back({.variant = variant,
                               .ratio = {.value = value,
                                         .low = value * std::exp(-2.0 * error),
                                         .high = value * std::exp(2.0 * error),
                                         .rounds = 10},
                               .failure = {},
                               .seconds = seconds});
        }
        return results;
    }

    std::function<double(const Variant&)> time_;
    double noise_;
    std::mt19937 random_{5};
    std::normal_distribution<double> normal_;
};

const std::vector<Knob> kKnobs{knob("workers", 4), knob("prefetch", 3), knob("cache", 5)};

TEST(DiagnoseSearch, finds_changes_that_help_only_together) {
    Machine machine([](const Variant& variant) {
        const bool workers = has(variant, "workers=2");
        const bool cache = has(variant, "cache=3");
        return workers && cache ? 0.4 : workers ? 0.9 : cache ? 0.8 : 1.0;
    });
    const Tuned tuned = machine.tune(kKnobs, {});
    EXPECT_TRUE(has(tuned.best, "workers=2"));
    EXPECT_TRUE(has(tuned.best, "cache=3"));
    EXPECT_NEAR(tuned.ratio.value, 0.4, 1e-9);
    EXPECT_EQ(tuned.best.name, "workers 2, cache 3");
}

TEST(DiagnoseSearch, finds_the_best_although_measurements_are_noisy) {
    int found = 0;
    for (int trial = 0; trial < 20; ++trial) {
        Machine machine(
            [](const Variant& variant) {
                return (has(variant, "workers=2") ? 0.8 : 1.0) * (has(variant, "cache=3") ? 0.7 : 1.0) *
                       (has(variant, "prefetch=0") ? 1.2 : 1.0);
            },
            0.05);
        const Tuned tuned = machine.tune(kKnobs, {});
        found += has(tuned.best, "workers=2") && has(tuned.best, "cache=3") ? 1 : 0;
    }
    EXPECT_GE(found, 19);
}

TEST(DiagnoseSearch, keeps_the_given_pipeline_if_nothing_is_faster) {
    Machine machine([](const Variant& variant) { return variant.sets.empty() ? 1.0 : 1.1; });
    const Tuned tuned = machine.tune(kKnobs, {});
    EXPECT_TRUE(tuned.best.sets.empty());
    EXPECT_FALSE(tuned.ratio.is_known());
    EXPECT_FALSE(tuned.results.empty());
}

TEST(DiagnoseSearch, does_not_take_a_start_that_turns_out_slower) {
    Machine machine([](const Variant& variant) { return variant.sets.empty() ? 1.0 : 1.1; });
    const Tuned tuned = machine.tune(kKnobs, {.name = "fix", .what = "", .sets = {"fix=1"}});
    EXPECT_TRUE(tuned.best.sets.empty());
}

TEST(DiagnoseSearch, starts_from_what_is_known_to_help) {
    Machine machine([](const Variant& variant) {
        return (has(variant, "fix=1") ? 0.5 : 1.0) * (has(variant, "workers=1") ? 0.9 : 1.0);
    });
    const Tuned tuned = machine.tune(kKnobs, {.name = "fix", .what = "", .sets = {"fix=1"}});
    EXPECT_TRUE(has(tuned.best, "fix=1"));
    EXPECT_TRUE(has(tuned.best, "workers=1"));
    EXPECT_NEAR(tuned.ratio.value, 0.45, 1e-9);
}

TEST(DiagnoseSearch, ends_when_the_time_is_over) {
    Machine machine([](const Variant& variant) { return has(variant, "workers=0") ? 0.5 : 1.0; });
    const Tuned tuned = machine.tune(kKnobs, {}, 3.0);
    EXPECT_LE(tuned.results.size(), 5U);
    EXPECT_TRUE(has(tuned.best, "workers=0"));
}

}  // namespace
}  // namespace sluice::diagnose
