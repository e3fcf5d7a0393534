// Tests that the checker finds kernels that each break one rule, and names that rule.
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>

#include "base/error.hpp"
#include "check/isolation/isolated.hpp"
#include "check/numerics/check_kernels.hpp"

namespace {

using sluice::check::Finding;
using sluice::check::Result;

std::vector<Finding> check(const std::vector<std::string>& names) {
    const std::array<std::filesystem::path, 1> more{SLUICE_WRONG_PLUGINS};
    const sluice::registry::Registry registry(SLUICE_PLUGINS, more);
    return sluice::check::check_kernels(registry, names);
}

// Returns the reasons of all failures, one per line.
std::string failures(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings) {
        if (is_fault(finding.result)) {
            text += finding.component + ", " + finding.place + ": " + finding.reason + "\n";
        }
    }
    return text;
}

struct WrongKernel {
    const char* provider;
    const char* words;
};

std::ostream& operator<<(std::ostream& out, const WrongKernel& wrong) { return out << wrong.provider; }

class Wrong : public testing::TestWithParam<WrongKernel> {};

TEST_P(Wrong, IsReportedWithTheRuleThatItBreaks) {
    const std::string text = failures(check({GetParam().provider}));
    EXPECT_NE(text.find(GetParam().words), std::string::npos) << text;
    EXPECT_NE(text.find("scale, case 1 ([2, 5, 7, 3] float32; factor = -1.5), train, float32"), std::string::npos)
        << text;
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Wrong,
    testing::Values(
        WrongKernel{"wrong_gradient", "gradient of input 0: largest difference"},
        WrongKernel{"forgets_to_add", "train, float32, gradients added: gradient of input 0: largest difference"},
        WrongKernel{"writes_past", "forward writes past the end of output 0"},
        WrongKernel{"reads_undeclared", "backward reads input 0, which plan() did not declare"},
        WrongKernel{"overwrites_input", "forward writes to input 0, which it may only read"},
        WrongKernel{"never_twice", "outputs have other bits when the same step is run again"},
        WrongKernel{"overwrites_early", "output 0 lies in the memory of input 0, as may_overwrite promised"},
        WrongKernel{"crashes", "crashes: Aborted"}),
    [](const auto& test) { return std::string(test.param.provider); });

// Forward and the gradient of the first input are right in this chain.
TEST(Check, FindsAChainThatLosesTheGradientOfAnInputFromOutside) {
    const std::vector<Finding> findings = check({"loses_the_skip"});
    const std::string text = failures(findings);
    EXPECT_NE(text.find("then add), train, float32: gradient of input 1: largest difference"), std::string::npos)
        << text;
    EXPECT_EQ(text.find("gradient of input 0"), std::string::npos) << text;
    EXPECT_EQ(std::ranges::count(findings, Result::passed, &Finding::result), 2)
        << "cases that pass: in evaluation, and without that gradient";
}

TEST(Check, NamesThePlaceOfTheLargestDifference) {
    // The kernel doubles element 105 of [2, 5, 7, 3].
    EXPECT_NE(failures(check({"wrong_gradient"})).find("at [1, 0, 0, 0]"), std::string::npos);
}

TEST(Check, AddedGradientsAloneAreWrongWhereAKernelForgetsToAdd) {
    for (const Finding& finding : check({"forgets_to_add"})) {
        if (is_fault(finding.result)) {
            EXPECT_NE(finding.place.find("gradients added"), std::string::npos) << finding.place;
        }
    }
}

// If the reference does not know a layer type, another provider is the oracle. Finite differences check the oracle.
TEST(Check, FindsAnOracleWhoseGradientIsNotTheSlopeOfItsForward) {
    const std::string text = failures(check({"test_square"}));
    EXPECT_NE(text.find("float64 against finite differences: gradient of input 0 is not the slope of forward"),
              std::string::npos)
        << text;
}

TEST(Check, FindsNothingWrongInTheReference) {
    const std::vector<Finding> findings = check({"reference"});
    EXPECT_EQ(failures(findings), "");
    EXPECT_GT(std::ranges::count(findings, Result::passed, &Finding::result), 100);
}

TEST(Check, SkipsWhatAProviderRefusesWithItsReason) {
    const std::vector<Finding> findings = check({"wrong_gradient"});
    const auto relu = std::ranges::find(findings, "relu", &Finding::component);
    ASSERT_NE(relu, findings.end());
    EXPECT_EQ(relu->result, Result::skipped);
    EXPECT_EQ(relu->reason, "only scale in float32");
}

TEST(Check, ChecksALayerOnOneProviderWhereBothAreNamed) {
    const std::vector<Finding> findings = check({"relu", "reference"});
    EXPECT_FALSE(findings.empty());
    for (const Finding& finding : findings) {
        EXPECT_EQ(finding.component + ", " + finding.provider, "relu, reference");
    }
}

// The second check waits until the first finding is reported. So an interrupted run has reported its findings.
TEST(Check, TellsWhatItFindsWhileItGoesOn) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const Finding first{Result::passed, "relu", "reference", "first", ""};
    std::vector<Finding> findings;
    sluice::check::run_isolated(
        first, {},
        [&](sluice::check::Report& report) {
            report.add(first);
            pollfd readable{ends[0], POLLIN, 0};
            constexpr int kTimeout = 20000;  // milliseconds
            const bool in_time = ::poll(&readable, 1, kTimeout) == 1;
            report.add({in_time ? Result::passed : Result::failed, "relu", "reference", "second", ""});
        },
        [&](const Finding& finding) {
            findings.push_back(finding);
            EXPECT_EQ(::write(ends[1], "!", 1), 1);
        });
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[1].result, Result::passed);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(Check, RefusesAnUnknownNameWithTheNearest) {
    try {
        check({"conv3d"});
        FAIL() << "nothing was thrown";
    } catch (const sluice::Error& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean 'conv2d'"), std::string::npos) << error.what();
    }
}

}  // namespace
