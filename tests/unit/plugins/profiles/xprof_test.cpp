// Content of the files for XProf.
#include "xprof/xprof.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "unit/plugins/profiles/parsed_xspace.hpp"
#include "unit/plugins/profiles/recorded_window.hpp"
#include "xprof/xspace.hpp"

namespace sluice::observers::tests {
namespace {

constexpr std::int64_t kPerMillisecond = 1'000'000'000;  // picoseconds

ParsedXSpace parsed_file(const RecordedWindow& window, const std::string& host = "box") {
    return parse_xspace(xplane_file(Window(window.profile()), host));
}

std::int64_t total_ps(const std::vector<ParsedEvent>& events) {
    std::int64_t total = 0;
    for (const ParsedEvent& event : events) {
        total += event.duration_ps;
    }
    return total;
}

double milliseconds(const std::vector<ParsedEvent>& events) {
    return static_cast<double>(total_ps(events)) / static_cast<double>(kPerMillisecond);
}

TEST(Xprof, StepsOfTheLoopAreMarked) {
    const RecordedWindow window({});
    const ParsedXSpace space = parsed_file(window);
    EXPECT_EQ(space.hosts, std::vector<std::string>{"box"});
    const std::vector<ParsedEvent> steps = space.plane("/host:CPU").events("train");
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].stats.at("group_id"), "20");
    EXPECT_EQ(steps[1].stats.at("step_name"), "21");
    EXPECT_EQ(steps[1].begin_ps, window.step_ns() * 1000);
    EXPECT_EQ(steps[1].duration_ps, window.step_ns() * 1000);
}

// XProf's verdict on a CPU depends on these names.
TEST(Xprof, WaitsOfTheLoopAreWaitsForInput) {
    const ParsedXSpace space = parsed_file(RecordedWindow({}));
    const ParsedPlane& host = space.plane("/host:CPU");
    EXPECT_NEAR(milliseconds(host.events("IteratorGetNext/read:IteratorGetNext")), 6.0, 1e-6);
    EXPECT_NEAR(milliseconds(host.events("IteratorGetNext/preprocess:IteratorGetNext")), 2.0, 1e-6);
    for (const ParsedEvent& event : host.events("MemcpyHToD")) {
        EXPECT_EQ(event.stats.at("tf_op"), "upload:MemcpyHToD");
        EXPECT_TRUE(event.stats.contains("group_id"));
    }
    EXPECT_EQ(host.events("MemcpyHToD").size(), 4U);  // the stage and its copy, in two steps
    EXPECT_EQ(host.events("callbacks/output:Callback").size(), 2U);
}

TEST(Xprof, LaunchesAreOperations) {
    const ParsedXSpace space = parsed_file(RecordedWindow({}));
    const ParsedPlane& host = space.plane("/host:CPU");
    const auto forward = host.events("forward/residual/2/conv2d:Conv2dBatchNormRelu");
    ASSERT_EQ(forward.size(), 2U);
    EXPECT_EQ(forward[0].stats.at("shape"), "8x64x64x64, 64x3x3x64");
    EXPECT_EQ(forward[0].stats.at("kernel"), "onednn brgconv");
    EXPECT_EQ(host.events("backward/residual/2/conv2d:Conv2dBatchNormReluBackward").size(), 2U);
    EXPECT_EQ(host.events("optimizer/adam:Adam").size(), 2U);
}

// Otherwise XProf takes what loaders do as computing, and no step waits for its input.
TEST(Xprof, WorkBesideTheLoopBelongsToNoStep) {
    const ParsedXSpace space = parsed_file(RecordedWindow({}));
    const ParsedPlane& host = space.plane("/host:CPU");
    for (const char* name : {"loader 0", "loader 1", "observers"}) {
        for (const ParsedEvent& event : host.line(name).events) {
            EXPECT_FALSE(event.stats.contains("group_id")) << name << ": " << event.name;
        }
    }
    const ParsedEvent& read = host.line("loader 0").events.at(0);
    EXPECT_EQ(read.stats.at("_ipl_stage_cat"), "read");
    EXPECT_EQ(read.stats.at("_ipl_stage_name"), "image_pairs");
    EXPECT_GE(std::stoll(read.stats.at("_ipl_stage_id")), 1'000'000);
    EXPECT_EQ(host.line("observers").events.at(0).name, "callbacks/metrics:Callback");
}

TEST(Xprof, EventsOfALineAreNestedOrApart) {
    for (const bool has_stream : {false, true}) {
        for (const ParsedPlane& plane : parsed_file(RecordedWindow({.has_stream = has_stream})).planes) {
            for (const ParsedLine& line : plane.lines) {
                std::vector<ParsedEvent> around;
                for (const ParsedEvent& event : line.events) {
                    while (!around.empty() && around.back().end_ps() <= event.begin_ps) {
                        around.pop_back();
                    }
                    if (!around.empty() && event.duration_ps > 0) {
                        EXPECT_LT(event.end_ps(), around.back().end_ps()) << line.name << ": " << event.name;
                    }
                    around.push_back(event);
                }
            }
        }
    }
}

// Otherwise XProf groups the events again, and changes the steps.
TEST(Xprof, EachPlaneIsGrouped) {
    const ParsedXSpace space = parsed_file(RecordedWindow({.has_stream = true}));
    ASSERT_EQ(space.planes.size(), 3U);
    for (const ParsedPlane& plane : space.planes) {
        EXPECT_EQ(std::count(plane.stat_names.begin(), plane.stat_names.end(), "group_id"), 1) << plane.name;
    }
}

TEST(Xprof, ADeviceHasStepsAndItsOwnWaits) {
    const RecordedWindow window({.has_stream = true});
    const ParsedXSpace space = parsed_file(window);
    const ParsedPlane& device = space.plane("/device:GPU:0");
    EXPECT_EQ(device.stats.at("device_name"), "NVIDIA Example GPU");
    EXPECT_EQ(device.line("Steps").id, -559038737);
    ASSERT_EQ(device.line("Steps").events.size(), 2U);
    EXPECT_EQ(device.line("Steps").events[0].duration_ps, window.step_ns() * 1000);
    EXPECT_NEAR(milliseconds(device.events("MemcpyHToD (waiting for a batch)")), 8.0, 1e-6);
    EXPECT_NEAR(milliseconds(device.events("MemcpyHToD")), 0.4, 1e-6);
    EXPECT_NEAR(milliseconds(device.events("MemcpyDToH (output)")), 0.6, 1e-6);
    EXPECT_TRUE(device.events("MemcpyHToD (upload)").empty());  // the copy of the stream covers it
    for (const ParsedEvent& event : device.line("Stream #7(Compute)").events) {
        EXPECT_TRUE(event.stats.contains("correlation_id")) << event.name;
        EXPECT_TRUE(event.stats.contains("group_id")) << event.name;
        EXPECT_EQ(event.name.find(':'), std::string::npos) << event.name;
    }
    const auto kernel = device.events("forward/residual/2/conv2d");
    ASSERT_EQ(kernel.size(), 2U);
    EXPECT_EQ(kernel[1].stats.at("group_id"), "21");
    EXPECT_EQ(kernel[0].stats.at("tf_op"), "forward/residual/2/conv2d:Conv2dBatchNormRelu");
}

// While a device computes the step before, the loop's wait for a batch costs nothing.
TEST(Xprof, AWaitThatADeviceHidesIsNotCounted) {
    const RecordedWindow window({.has_stream = true, .lag = 3'000'000});
    const ParsedXSpace space = parsed_file(window);
    const ParsedPlane& device = space.plane("/device:GPU:0");
    // The first step's work ends 3 ms late, within the second step's wait of 4 ms. Its output of 0.3 ms is hidden.
    const auto waits = device.events("MemcpyHToD (waiting for a batch)");
    EXPECT_NEAR(milliseconds(waits), 4.0 + 1.3, 1e-6);
    const std::vector<ParsedEvent>& steps = device.line("Steps").events;
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].end_ps(), steps[1].begin_ps);
    EXPECT_GT(steps[0].end_ps(), window.step_ns() * 1000);
    for (const ParsedEvent& wait : waits) {
        const ParsedEvent& step = wait.stats.at("group_id") == "20" ? steps[0] : steps[1];
        EXPECT_GE(wait.begin_ps, step.begin_ps);
        EXPECT_LE(wait.end_ps(), step.end_ps());
    }
}

TEST(Xprof, SixteenBitKernelsAreMarked) {
    RecordedWindow window({.has_stream = true});
    std::vector<sluice_profile_operation> operations(window.profile().operations,
                                                     window.profile().operations + window.profile().operation_count);
    operations.front().dtype = {SLUICE_CODE_BFLOAT, 16, 1};
    window.profile().operations = operations.data();
    const ParsedXSpace space = parsed_file(window);
    const ParsedPlane& device = space.plane("/device:GPU:0");
    EXPECT_EQ(device.events("forward/residual/2/conv2d").at(0).stats.at("shape"), "half[8x64x64x64, 64x3x3x64]");
    EXPECT_EQ(device.events("forward/loss").at(0).stats.at("shape"), "8x64x64x64, 64x3x3x64");
}

TEST(Xprof, MemoryHasATimelineForEachAllocator) {
    const ParsedXSpace space = parsed_file(RecordedWindow({}));
    std::map<std::string, std::vector<ParsedEvent>> timelines;
    for (const ParsedEvent& event : space.plane("/host:CPU").line("memory").events) {
        EXPECT_EQ(event.duration_ps, 0);
        timelines[event.stats.at("allocator_name")].push_back(event);
    }
    ASSERT_EQ(timelines.size(), 3U);
    const std::vector<ParsedEvent>& arena = timelines.at("arena");
    ASSERT_EQ(arena.size(), 8U);  // two tensors, two steps
    EXPECT_EQ(arena[0].name, "MemoryAllocation");
    EXPECT_EQ(arena[0].stats.at("tf_op"), "residual/2/conv2d/output");
    EXPECT_EQ(arena[0].stats.at("bytes_allocated"), "4000000");
    EXPECT_EQ(arena[0].stats.at("bytes_available"), "1000000");
    EXPECT_EQ(arena[1].stats.at("bytes_allocated"), "5000000");
    EXPECT_EQ(arena[3].stats.at("bytes_allocated"), "0");
    EXPECT_EQ(arena[3].stats.at("peak_bytes_in_use"), "5000000");
    EXPECT_EQ(arena[0].stats.at("addr"), arena[2].stats.at("addr"));
    EXPECT_EQ(arena[2].name, "MemoryDeallocation");
    const std::vector<ParsedEvent>& blocks = timelines.at("allocations");
    ASSERT_EQ(blocks.size(), 4U);
    EXPECT_EQ(blocks[0].stats.at("addr"), blocks[1].stats.at("addr"));
    EXPECT_EQ(blocks[1].stats.at("bytes_allocated"), "0");
    EXPECT_EQ(timelines.at("resident_bytes").at(1).stats.at("bytes_allocated"), "1021000000");
    const ParsedLine& counters = space.plane("/device:CUSTOM:Memory").line("_counters_");
    EXPECT_EQ(counters.events.size(), 2U + 8U);
}

TEST(Xprof, NamesOfOperationsKeepToXprofsCharacters) {
    EXPECT_EQ(operation_name("gradients 1 of 3", "AllReduce"), "gradients-1-of-3:AllReduce");
    EXPECT_EQ(operation_name("", "Stage"), "x:Stage");
    EXPECT_EQ(operation_name("/a:b", "Stage"), "x/a-b:Stage");
}

}  // namespace
}  // namespace sluice::observers::tests
