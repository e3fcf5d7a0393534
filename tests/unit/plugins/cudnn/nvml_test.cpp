// Usage figures of a GPU from NVML: a library that replaces NVIDIA's, and machines without NVML.
#include <gtest/gtest.h>

#include "device/nvml.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::cudnn {
namespace {

std::string refusal(const Nvml& nvml, const std::string& bus_id) {
    try {
        static_cast<void>(nvml.read(bus_id));
    } catch (const sdk::Failure& failure) {
        EXPECT_EQ(failure.status(), SLUICE_UNSUPPORTED);
        return failure.what();
    }
    return {};
}

TEST(Nvml, tells_all_of_a_gpu) {
    const Nvml nvml(SLUICE_FAKE_NVML);
    EXPECT_EQ(nvml.missing(), "");
    EXPECT_EQ(nvml.driver_release(), "580.65.06");
    EXPECT_EQ(nvml.gpu_count(), 2U);
    const sluice_usage_figures figures = nvml.read("0000:02:00.0");
    EXPECT_DOUBLE_EQ(figures.busy_share, 0.98);
    EXPECT_DOUBLE_EQ(figures.used_bytes, 3.0 * (1 << 30));
    EXPECT_DOUBLE_EQ(figures.power_watts, 512.5);
    EXPECT_DOUBLE_EQ(figures.celsius, 61.0);
    EXPECT_DOUBLE_EQ(figures.clock_hertz, 1.755e9);
    EXPECT_STREQ(figures.limit, "power");
}

TEST(Nvml, what_a_gpu_does_not_tell_is_not_known) {
    const sluice_usage_figures figures = Nvml(SLUICE_FAKE_NVML).read("0000:01:00.0");
    EXPECT_EQ(figures.power_watts, -1.0);
    EXPECT_EQ(figures.clock_hertz, -1.0);
    EXPECT_EQ(figures.busy_share, 0.0);
    EXPECT_STREQ(figures.limit, "");  // an idle GPU has no limit
}

TEST(Nvml, unknown_gpu) {
    EXPECT_EQ(refusal(Nvml(SLUICE_FAKE_NVML), "0000:03:00.0"), "NVML does not know the GPU at 0000:03:00.0: Not Found");
}

TEST(Nvml, a_machine_without_it) {
    const Nvml none("libsluice-no-such-nvml.so");
    EXPECT_NE(none.missing().find("libsluice-no-such-nvml.so"), std::string::npos);
    EXPECT_EQ(none.driver_release(), "");
    EXPECT_FALSE(none.gpu_count().has_value());
    EXPECT_EQ(refusal(none, "0000:01:00.0"), none.missing());
}

TEST(Nvml, a_library_that_is_another) {
    EXPECT_NE(Nvml("libm.so.6").missing().find("has no function nvmlInit_v2"), std::string::npos);
}

}  // namespace
}  // namespace sluice::cudnn
