// Activity of GPUs from CUPTI: a library that replaces NVIDIA's, and machines without CUPTI.
#include "device/activity_recorder.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "sluice/sdk/guard.hpp"

namespace sluice::cudnn {
namespace {

constexpr std::int64_t kAhead = 1'000'000'000'000;  // nanoseconds that the clock of the library is ahead
constexpr std::int64_t kClose = 5'000'000;          // a busy machine may interrupt each reading of the clocks

template <class Function>
Function* of_fake(const char* name) {
    static void* const library = ::dlopen(SLUICE_FAKE_CUPTI, RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Function*>(::dlsym(library, name));
}

const auto begin_fake = of_fake<void(std::uint32_t, int)>("fake_cupti_begin");
const auto drop = of_fake<void(std::size_t)>("fake_cupti_drop");
const auto is_enabled = of_fake<int(std::uint32_t)>("fake_cupti_is_enabled");
const auto put = of_fake<void(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t,
                              std::uint64_t, std::uint8_t, const char*)>("fake_cupti_put");

std::int64_t now() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::uint64_t cupti_time(std::int64_t host) { return static_cast<std::uint64_t>(host + kAhead); }

// Puts in a kernel that runs now.
void put_kernel(std::uint32_t gpu, const char* name) {
    const std::uint64_t time = cupti_time(now());
    put(10, gpu, 3, 1, time, time + 1, 0, 0, name);
}

struct Found {
    std::vector<sluice_activity> activities;
    std::vector<std::string> names;
    std::uint64_t dropped = 0;
};

Found stop(ActivityRecorder& recorder, int gpu) {
    Found found;
    sluice_activity_sink sink{};
    sink.struct_size = sizeof(sink);
    sink.impl = &found;
    sink.add = [](const sluice_activity_sink* own, const sluice_activity* activity) noexcept {
        auto& all = *static_cast<Found*>(own->impl);
        all.activities.push_back(*activity);
        all.names.emplace_back(sdk::view(activity->name));
    };
    sink.add_dropped = [](const sluice_activity_sink* own, std::uint64_t count) noexcept {
        static_cast<Found*>(own->impl)->dropped += count;
    };
    recorder.stop(gpu, sink);
    return found;
}

std::string refusal(ActivityRecorder& recorder, sluice_status status) {
    try {
        recorder.start(0);
    } catch (const sdk::Failure& failure) {
        EXPECT_EQ(failure.status(), status);
        return failure.what();
    }
    return {};
}

class ActivityRecorderTest : public testing::Test {
protected:
    void SetUp() override { begin_fake(0, 0); }

    ActivityRecorder recorder_{{SLUICE_FAKE_CUPTI}};
};

TEST_F(ActivityRecorderTest, reports_what_a_gpu_did_by_the_clock_of_the_host) {
    recorder_.start(0);
    const std::int64_t base = now();
    const auto at = [&](std::int64_t microseconds) { return cupti_time(base + 1000 * microseconds); };
    put(5, 0, 0, 7, at(1), at(3), 0, 0, nullptr);  // the runtime calls the driver to launch
    put(4, 0, 0, 7, at(2), at(3), 0, 0, nullptr);
    put(10, 0, 13, 7, at(10), at(25), 0, 0, "_ZN6sluice5cudnn10add_kernelIfEEvPT_");
    put(10, 0, 13, 7, at(25), at(26), 0, 0, "cudnn_generated");
    put(1, 0, 14, 8, at(30), at(40), 4096, 1, nullptr);
    put(1, 0, 14, 9, at(40), at(50), 100, 2, nullptr);
    put(1, 0, 14, 10, at(50), at(51), 200, 8, nullptr);
    put(2, 0, 15, 11, at(60), at(61), 300, 0, nullptr);
    const Found found = stop(recorder_, 0);
    EXPECT_EQ(found.names, (std::vector<std::string>{"void sluice::cudnn::add_kernel<float>(float*)", "cudnn_generated",
                                                     "Memcpy HtoD", "Memcpy DtoH", "Memcpy DtoD", "Memset"}));
    ASSERT_EQ(found.activities.size(), 6U);
    EXPECT_EQ(found.dropped, 0U);
    constexpr std::uint32_t kKinds[] = {SLUICE_ACTIVITY_KERNEL,   SLUICE_ACTIVITY_KERNEL, SLUICE_ACTIVITY_UPLOAD,
                                        SLUICE_ACTIVITY_DOWNLOAD, SLUICE_ACTIVITY_COPY,   SLUICE_ACTIVITY_FILL};
    constexpr std::uint64_t kBytes[] = {0, 0, 4096, 100, 200, 300};
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(found.activities[i].kind, kKinds[i]);
        EXPECT_EQ(found.activities[i].bytes, kBytes[i]);
        EXPECT_EQ(found.activities[i].stream, i < 2 ? 13U : i < 5 ? 14U : 15U);
    }
    const sluice_activity& kernel = found.activities.front();
    EXPECT_NEAR(static_cast<double>(kernel.begin_ns - base), 10e3, kClose);
    EXPECT_NEAR(static_cast<double>(kernel.end_ns - kernel.begin_ns), 15e3, kClose);
    EXPECT_EQ(kernel.correlation, 7U);
    EXPECT_NEAR(static_cast<double>(kernel.begin_ns - kernel.launch_ns), 9e3, kClose);
    EXPECT_EQ(found.activities[1].launch_ns, kernel.launch_ns);  // both are of one graph
    EXPECT_EQ(found.activities[2].launch_ns, -1);
    EXPECT_FALSE(is_enabled(10));
}

TEST_F(ActivityRecorderTest, gpus_are_recorded_together_and_reported_apart) {
    recorder_.start(1);
    put_kernel(1, "first");
    recorder_.start(0);
    put_kernel(0, "other");
    put_kernel(2, "of_nobody");
    EXPECT_EQ(stop(recorder_, 1).names, std::vector<std::string>{"first"});
    EXPECT_TRUE(is_enabled(10));
    put_kernel(1, "later");
    put_kernel(0, "last");
    EXPECT_EQ(stop(recorder_, 0).names, (std::vector<std::string>{"other", "last"}));
    EXPECT_FALSE(is_enabled(10));
}

TEST_F(ActivityRecorderTest, counts_what_is_lost) {
    recorder_.start(0);
    put(10, 0, 3, 1, 0, 0, 0, 0, "without_times");
    const std::uint64_t time = cupti_time(now());
    put(10, 0, 3, 1, time, time - 1000, 0, 0, "backwards");
    put_kernel(0, "sound");
    drop(5);
    const Found found = stop(recorder_, 0);
    EXPECT_EQ(found.names, std::vector<std::string>{"sound"});
    EXPECT_EQ(found.dropped, 7U);
    recorder_.start(0);
    EXPECT_EQ(stop(recorder_, 0).dropped, 0U);
}

TEST_F(ActivityRecorderTest, names_a_kernel_without_a_name) {
    recorder_.start(0);
    put_kernel(0, nullptr);
    EXPECT_EQ(stop(recorder_, 0).names, std::vector<std::string>{"kernel"});
}

TEST_F(ActivityRecorderTest, names_why_it_must_not_record) {
    begin_fake(1, 35);
    EXPECT_EQ(refusal(recorder_, SLUICE_UNSUPPORTED), "CUPTI cannot record: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES");
    EXPECT_FALSE(is_enabled(10));  // was allowed before the other was refused
    begin_fake(1, 77);
    EXPECT_EQ(refusal(recorder_, SLUICE_UNSUPPORTED), "CUPTI cannot record: error 77");
    begin_fake(0, 0);
    EXPECT_EQ(refusal(recorder_, SLUICE_UNSUPPORTED), "");
    EXPECT_EQ(refusal(recorder_, SLUICE_FAILED), "its activity is recorded already");
    recorder_.discard(0);
    EXPECT_FALSE(is_enabled(10));
    recorder_.discard(0);
    EXPECT_THROW(stop(recorder_, 0), sdk::Failure);
}

TEST_F(ActivityRecorderTest, forgets_what_was_discarded) {
    recorder_.start(0);
    put_kernel(0, "forgotten");
    recorder_.discard(0);
    recorder_.start(0);
    EXPECT_TRUE(stop(recorder_, 0).activities.empty());
}

TEST(ActivityRecorder, a_machine_without_cupti) {
    ActivityRecorder none({"libsluice-no-such-cupti.so.13", "libsluice-no-such-cupti.so"});
    const std::string reason = refusal(none, SLUICE_UNSUPPORTED);
    EXPECT_EQ(reason.find("CUPTI of the CUDA toolkit is missing: libsluice-no-such-cupti.so.13"), 0U) << reason;
    ActivityRecorder second({"libsluice-no-such-cupti.so.13", SLUICE_FAKE_CUPTI});
    EXPECT_EQ(refusal(second, SLUICE_UNSUPPORTED), "");
    second.discard(0);
}

TEST(ActivityRecorder, a_library_that_is_another) {
    ActivityRecorder other({"libm.so.6"});
    EXPECT_EQ(refusal(other, SLUICE_UNSUPPORTED), "libm.so.6 has no function cuptiActivityRegisterCallbacks");
}

}  // namespace
}  // namespace sluice::cudnn
