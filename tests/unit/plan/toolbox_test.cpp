// The device and the kernels that a pipeline gets.
#include "plan/toolbox.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

std::vector<std::string> names_of(const plan::Toolbox& tools) {
    std::vector<std::string> names;
    for (const registry::KernelProvider& provider : tools.providers) {
        names.push_back(provider.name());
    }
    return names;
}

std::string refusal(const std::vector<std::string>& sets) {
    try {
        const PlanBench bench(sets);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Toolbox, reference_is_asked_last) {
    const registry::Registry registry(SLUICE_TEST_PLUGIN_DIR, {});
    const auto all = plan::installed_providers(registry);
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all.back().use, "reference");
    EXPECT_EQ(std::ranges::count(all, "reference", &config::ComponentSpec::use), 1);
}

// Kernels for other devices are there, too, if their plugin was built.
TEST(Toolbox, kernels_are_those_of_the_device) {
    const std::vector<std::string> names = names_of(PlanBench().tools);
    EXPECT_EQ(names.back(), "reference");
    EXPECT_EQ(std::ranges::count(names, "cudnn"), 0);
    EXPECT_EQ(names_of(PlanBench({"device.kernels=[\"reference\"]"}).tools), std::vector<std::string>{"reference"});
    EXPECT_EQ(names_of(PlanBench({"device.kernels=auto"}).tools), names);
}

TEST(Toolbox, a_missing_device_falls_back_to_the_next_one) {
    const PlanBench bench({"device.use=[\"toaster\", \"cpu\"]"});
    EXPECT_EQ(bench.tools.device->kind(), "cpu");
    EXPECT_EQ(bench.tools.device_spec.use, "cpu");
}

TEST(Toolbox, unknown_kernels_are_an_error) {
    EXPECT_NE(refusal({"device.kernels=[\"referense\"]"}).find("did you mean 'reference'?"), std::string::npos);
    EXPECT_NE(refusal({"device.use=toaster"}).find("there is no device 'toaster'"), std::string::npos);
}

}  // namespace
}  // namespace sluice::test
