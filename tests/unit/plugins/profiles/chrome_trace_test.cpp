// Content of the traces for Perfetto, Chrome and Holistic Trace Analysis.
#include "trace/chrome_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "unit/plugins/profiles/recorded_window.hpp"

namespace sluice::observers::tests {
namespace {

using Json = nlohmann::json;

Json parsed_trace(const RecordedWindow& window) { return Json::parse(chrome_trace(Window(window.profile()))); }

std::vector<Json> events(const Json& trace, const std::string& field, const std::string& value) {
    std::vector<Json> found;
    for (const Json& event : trace.at("traceEvents")) {
        if (event.value(field, "") == value) {
            found.push_back(event);
        }
    }
    return found;
}

double total(const std::vector<Json>& events) {
    double sum = 0.0;
    for (const Json& event : events) {
        sum += event.at("dur").get<double>();
    }
    return sum;
}

TEST(ChromeTrace, StepsAndStagesAreAnnotations) {
    const RecordedWindow window({});
    const Json trace = parsed_trace(window);
    const auto steps = events(trace, "name", "ProfilerStep#21");
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].at("cat"), "user_annotation");
    EXPECT_EQ(steps[0].at("ph"), "X");
    EXPECT_DOUBLE_EQ(steps[0].at("ts"), static_cast<double>(window.step_ns()) / 1000.0);
    EXPECT_NEAR(steps[0].at("dur"), static_cast<double>(window.step_ns()) / 1000.0, 0.01);
    EXPECT_DOUBLE_EQ(total(events(trace, "name", "read")), 6000.0);
    EXPECT_EQ(events(trace, "name", "backward").at(0).at("cat"), "user_annotation");
}

TEST(ChromeTrace, LaunchesAreOperators) {
    const Json trace = parsed_trace(RecordedWindow({}));
    const auto forward = events(trace, "name", "forward/residual/2/conv2d");
    ASSERT_EQ(forward.size(), 2U);
    EXPECT_EQ(forward[0].at("cat"), "cpu_op");
    EXPECT_EQ(forward[0].at("tid"), 4001);
    const Json& args = forward[0].at("args");
    EXPECT_EQ(args.at("implementation"), "onednn brgconv");
    EXPECT_EQ(args.at("dtype"), "float32");
    EXPECT_EQ(args.at("step"), 20);
    EXPECT_DOUBLE_EQ(args.at("flop"), 2e9);
    EXPECT_TRUE(args.contains("External id"));
    // Loader threads are not on the critical path of the loop.
    EXPECT_EQ(events(trace, "name", "random_crop").at(0).at("cat"), "user_annotation");
    EXPECT_TRUE(events(trace, "cat", "kernel").empty());
}

TEST(ChromeTrace, ThreadsAndProcessesHaveNames) {
    const Json trace = parsed_trace(RecordedWindow({.has_stream = true}));
    std::map<std::string, std::int64_t> processes;  // of threads
    for (const Json& event : events(trace, "name", "thread_name")) {
        EXPECT_EQ(event.at("ph"), "M");
        processes[event.at("args").at("name")] = event.at("pid");
    }
    ASSERT_EQ(processes.size(), 5U);
    EXPECT_EQ(processes.at("Stream #7(Compute)"), 0);
    EXPECT_EQ(processes.at("loop"), processes.at("loader 1"));
    EXPECT_NE(processes.at("loop"), 0);
    EXPECT_EQ(events(trace, "name", "process_name").size(), 2U);
    EXPECT_EQ(trace.at("deviceProperties").at(0).at("name"), "NVIDIA Example GPU");
}

// Each kernel has one call of the runtime with its number, within the operator that launched it.
TEST(ChromeTrace, KernelsBelongToTheirLaunches) {
    const Json trace = parsed_trace(RecordedWindow({.has_stream = true}));
    std::map<std::int64_t, Json> calls;
    for (const Json& call : events(trace, "cat", "cuda_runtime")) {
        EXPECT_TRUE(calls.emplace(call.at("args").at("correlation"), call).second);
    }
    const auto kernels = events(trace, "cat", "kernel");
    ASSERT_EQ(kernels.size(), 10U);
    for (const Json& kernel : kernels) {
        EXPECT_EQ(kernel.at("args").at("stream"), 7);
        EXPECT_EQ(kernel.at("tid"), 7);
        const Json& call = calls.at(kernel.at("args").at("correlation"));
        EXPECT_EQ(call.at("name"), "cudaLaunchKernel");
        EXPECT_EQ(call.at("args").at("External id"), kernel.at("args").at("External id"));
        EXPECT_LE(call.at("ts"), kernel.at("ts"));
    }
    const auto copies = events(trace, "cat", "gpu_memcpy");
    ASSERT_EQ(copies.size(), 2U);
    EXPECT_EQ(copies[0].at("name"), "Memcpy HtoD (Pinned -> Device)");
    EXPECT_EQ(calls.at(copies[0].at("args").at("correlation")).at("name"), "cudaMemcpyAsync");
    EXPECT_EQ(copies[0].at("args").at("bytes"), 1'572'864);
    EXPECT_EQ(events(trace, "name", "ac2g").size(), 2U * 12U);
}

TEST(ChromeTrace, SeveralKernelsOfALaunchHaveACallEach) {
    RecordedWindow window({.last_step = 20, .has_stream = true});
    std::vector<sluice_span>& spans = window.spans();
    const auto kernel = std::find_if(spans.begin(), spans.end(), [](const sluice_span& span) {
        return span.thread == 4 && span.kind == SLUICE_SPAN_FORWARD;
    });
    ASSERT_NE(kernel, spans.end());
    sluice_span second = *kernel;
    kernel->duration_ns /= 2;
    second.begin_ns += kernel->duration_ns;
    second.duration_ns -= kernel->duration_ns;
    spans.push_back(second);
    window.profile().spans = spans.data();
    window.profile().span_count = spans.size();
    const Json trace = parsed_trace(window);
    std::map<std::int64_t, int> calls;
    for (const Json& call : events(trace, "cat", "cuda_runtime")) {
        ++calls[call.at("args").at("correlation").get<std::int64_t>()];
    }
    for (const auto& [number, count] : calls) {
        EXPECT_EQ(count, 1) << number;
    }
    EXPECT_EQ(events(trace, "cat", "kernel").size(), 6U);
    EXPECT_EQ(events(trace, "name", "cudaLaunchKernel").size(), 6U);
}

TEST(ChromeTrace, TheWaitForADeviceIsASynchronization) {
    const Json trace = parsed_trace(RecordedWindow({.has_stream = true}));
    const auto calls = events(trace, "name", "cudaDeviceSynchronize");
    const auto waits = events(trace, "cat", "cuda_sync");
    ASSERT_EQ(calls.size(), 2U);
    ASSERT_EQ(waits.size(), 2U);
    EXPECT_EQ(waits[0].at("args").at("correlation"), calls[0].at("args").at("correlation"));
    EXPECT_EQ(waits[0].at("dur"), calls[0].at("dur"));
    EXPECT_TRUE(events(parsed_trace(RecordedWindow({})), "cat", "cuda_sync").empty());
}

TEST(ChromeTrace, MemoryIsCounted) {
    const Json trace = parsed_trace(RecordedWindow({}));
    const auto resident = events(trace, "name", "resident_bytes");
    ASSERT_EQ(resident.size(), 2U);
    EXPECT_EQ(resident[0].at("ph"), "C");
    EXPECT_DOUBLE_EQ(resident[1].at("args").at("value"), 1'021'000'000.0);
    const auto arena = events(trace, "name", "arena_tensor_bytes");
    ASSERT_EQ(arena.size(), 8U);
    EXPECT_EQ(arena[1].at("args").at("value"), 5'000'000);
    EXPECT_EQ(arena[3].at("args").at("value"), 0);
    const auto blocks = events(trace, "name", "[memory]");
    ASSERT_EQ(blocks.size(), 4U);
    EXPECT_EQ(blocks[0].at("args").at("Bytes"), 65'536);
    EXPECT_EQ(blocks[1].at("args").at("Bytes"), -65'536);
}

// Holistic Trace Analysis looks for the rank by this expression, without parsing.
TEST(ChromeTrace, TheRankIsFound) {
    const std::string text = chrome_trace(Window(RecordedWindow({.rank = 3, .ranks = 4}).profile()));
    std::smatch match;
    ASSERT_TRUE(std::regex_search(text, match, std::regex("\"rank\":\\s+(\\d+)")));
    EXPECT_EQ(match[1], "3");
    EXPECT_EQ(Json::parse(text).at("distributedInfo").at("world_size"), 4);
}

TEST(ChromeTrace, NamesMayHaveAnyBytes) {
    RecordedWindow window({});
    std::vector<sluice_text> names(window.profile().names, window.profile().names + window.profile().name_count);
    const std::string odd = "a\"\\\n\xff";
    for (sluice_text& name : names) {
        name = {odd.data(), odd.size()};
    }
    window.profile().names = names.data();
    EXPECT_NO_THROW(parsed_trace(window));
}

}  // namespace
}  // namespace sluice::observers::tests
