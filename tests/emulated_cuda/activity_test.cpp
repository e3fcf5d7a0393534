// The device records itself by CUPTI, and has a clock. On a real GPU these tests need CUPTI.
#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "plugin_test.hpp"
#include "registry/optional/device_activity.hpp"
#include "registry/optional/device_time.hpp"
#include "registry/optional/streams.hpp"

namespace sluice::test {
namespace {

using registry::Activity;

std::int64_t now() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class Activities : public PluginTest {
protected:
    static std::vector<Activity> of_kind(const registry::Activities& found, std::uint32_t kind) {
        std::vector<Activity> some;
        std::ranges::copy_if(found.records, std::back_inserter(some),
                             [&](const Activity& one) { return one.kind == kind; });
        return some;
    }
};

TEST_F(Activities, of_replayed_graphs_are_single_kernels_with_the_time_of_their_launch) {
    const registry::DeviceStamps stamps(gpu(), 2, 1);
    stamps.mark(stream(), 0);
    gpu()->wait(stream());
    registry::GraphCapture capture(gpu(), stream());
    stamps.mark(stream(), 0);
    stamps.mark(stream(), 1);
    const registry::Graph graph = capture.end();
    const std::int64_t begin = now();
    registry::DeviceActivity recording(gpu());
    for (int replay = 0; replay < 3; ++replay) {
        graph.launch(stream());
    }
    const registry::Activities found = recording.stop();
    EXPECT_EQ(found.dropped, 0U);
    const std::vector<Activity> kernels = of_kind(found, SLUICE_ACTIVITY_KERNEL);
    ASSERT_EQ(kernels.size(), 6U);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const Activity& one = kernels[i];
        EXPECT_NE(one.name.find("clock_kernel"), std::string::npos) << one.name;
        EXPECT_EQ(one.stream, kernels.front().stream);
        EXPECT_GE(one.launch_ns, begin - 1'000'000);
        EXPECT_LE(one.launch_ns, one.begin_ns);
        EXPECT_LE(one.end_ns, now() + 1'000'000);
        if (i > 0) {
            EXPECT_EQ(one.correlation == kernels[i - 1].correlation, i % 2 == 1) << "kernel " << i;
            EXPECT_LE(kernels[i - 1].end_ns, one.begin_ns + 1'000);
        }
    }
}

TEST_F(Activities, of_copies_have_their_direction_and_bytes) {
    const std::vector<float> values(1000, 1.0F);
    registry::DeviceActivity recording(gpu());
    const registry::Block block = upload(values);
    gpu()->zero(block.data(), 400, stream());
    EXPECT_EQ(download<float>(block).front(), 0.0F);
    const registry::Activities found = recording.stop();
    for (const std::uint32_t kind : {SLUICE_ACTIVITY_UPLOAD, SLUICE_ACTIVITY_DOWNLOAD}) {
        const auto copies = of_kind(found, kind);
        ASSERT_EQ(copies.size(), 1U);
        EXPECT_EQ(copies.front().bytes, 4000U);
    }
    ASSERT_EQ(of_kind(found, SLUICE_ACTIVITY_FILL).size(), 1U);
    EXPECT_EQ(of_kind(found, SLUICE_ACTIVITY_FILL).front().bytes, 400U);
}

TEST_F(Activities, end_with_their_device) {
    {
        const auto other = open("emulated_cuda");
        const auto recording = std::make_unique<registry::DeviceActivity>(other);
    }
    registry::DeviceActivity recording(gpu());
    EXPECT_THROW(registry::DeviceActivity{gpu()}, Error);  // each GPU has one recording
    EXPECT_TRUE(recording.stop().records.empty());
}

TEST_F(Activities, agree_with_the_clock_of_the_device) {
    const registry::DeviceStamps stamps(gpu(), 2, 1);
    const registry::Block block(gpu(), std::size_t{32} << 20);
    registry::DeviceActivity recording(gpu());
    stamps.mark(stream(), 0);
    gpu()->zero(block.data(), block.size(), stream());
    stamps.mark(stream(), 1);
    stamps.copy(stream(), 0);
    const registry::Activities found = recording.stop();
    const auto fills = of_kind(found, SLUICE_ACTIVITY_FILL);
    ASSERT_EQ(fills.size(), 1U);
    const auto marked = stamps.read(0);
    EXPECT_LE(fills.front().end_ns - fills.front().begin_ns,
              static_cast<std::int64_t>(marked[1] - marked[0]) + 100'000);
}

}  // namespace
}  // namespace sluice::test
