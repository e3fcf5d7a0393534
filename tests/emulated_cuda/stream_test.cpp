// Streams, which run as late as possible, events, and captured graphs.
#include <unistd.h>

#include <thread>

#include "gpu_test.hpp"

namespace emulated::test {
namespace {

__global__ void add(float* number, float more) { *number += more; }
__global__ void times(float* number, float by) { *number *= by; }

class Streams : public GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        cudaMallocHost(&pinned, sizeof(float));
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&event, cudaEventDefault);
    }
    void TearDown() override {
        cudaEventDestroy(event);
        cudaStreamDestroy(other);
        cudaFreeHost(pinned);
        GpuTest::TearDown();
    }

    // Returns the graph of captured work on both streams, which wait for each other only if something makes them.
    cudaGraphExec_t make_graph() {
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess) << cudaGetErrorString(cudaGetLastError());
        EXPECT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
        cudaGraphDestroy(graph);
        return executable;
    }

    float* pinned = nullptr;
    cudaStream_t other = nullptr;
    cudaEvent_t event = nullptr;
    DeviceArray<float> number{1};
};

TEST_F(Streams, buffer_written_before_its_copy_was_waited_for_arrives_changed) {
    *pinned = 1;
    cudaMemcpyAsync(number.data(), pinned, sizeof(float), cudaMemcpyDefault, stream);
    *pinned = 2;
    cudaStreamSynchronize(stream);
    EXPECT_EQ(number.read()[0], 2);
}

TEST_F(Streams, result_is_not_there_before_the_stream_was_waited_for) {
    *pinned = 7;
    cudaMemsetAsync(number.data(), 0, sizeof(float), stream);
    cudaMemcpyAsync(pinned, number.data(), sizeof(float), cudaMemcpyDefault, stream);
    cudaStreamSynchronize(other);
    EXPECT_EQ(*pinned, 7);
    cudaStreamSynchronize(stream);
    EXPECT_EQ(*pinned, 0);
}

TEST_F(Streams, wait_for_an_event_runs_what_is_before_it_and_nothing_else) {
    *pinned = 7;
    cudaMemsetAsync(number.data(), 0, sizeof(float), stream);
    cudaEventRecord(event, stream);
    cudaMemcpyAsync(pinned, number.data(), sizeof(float), cudaMemcpyDefault, stream);
    cudaStreamWaitEvent(other, event);
    launch(1, 1, add, number.data(), 1.0F);
    cudaStreamSynchronize(other);
    EXPECT_EQ(*pinned, 7);
    EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
}

TEST_F(Streams, asking_for_an_event_again_and_again_gets_there) {
    cudaMemsetAsync(number.data(), 0, sizeof(float), stream);
    cudaEventRecord(event, stream);
    EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
    int asked = 0;
    while (cudaEventQuery(event) == cudaErrorNotReady && asked < 10) {
        ++asked;
    }
    EXPECT_LT(asked, 10);
}

TEST_F(Streams, time_between_two_events_is_known_when_both_have_passed) {
    cudaEvent_t second = nullptr;
    float milliseconds = -1;
    cudaEventCreateWithFlags(&second, cudaEventDefault);
    cudaEventRecord(event, stream);
    cudaEventRecord(second, stream);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, second), cudaErrorNotReady);
    cudaEventSynchronize(second);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, second), cudaSuccess);
    EXPECT_GE(milliseconds, 0);
    cudaEventDestroy(second);
}

TEST_F(Streams, copies_check_their_kind_and_their_blocks) {
    EXPECT_EQ(cudaMemcpyAsync(number.data(), pinned, 4, cudaMemcpyDeviceToHost, stream),
              cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaMemcpyAsync(number.data(), pinned, 8, cudaMemcpyHostToDevice, stream), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemsetAsync(pinned, 0, 4, stream), cudaErrorInvalidValue);
}

TEST_F(Streams, more_memory_than_there_is_is_refused) {
    std::size_t free = 0;
    std::size_t total = 0;
    void* block = nullptr;
    cudaMemGetInfo(&free, &total);
    EXPECT_EQ(cudaMalloc(&block, free + 4096), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Streams, recorded_work_runs_only_when_the_graph_is_launched) {
    cudaMemset(number.data(), 0, sizeof(float));
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    launch(1, 1, add, number.data(), 1.0F);
    launch(1, 1, times, number.data(), 3.0F);
    cudaGraphExec_t const graph = make_graph();
    cudaStreamSynchronize(stream);
    EXPECT_EQ(number.read()[0], 0);
    for (const float right : {3.0F, 12.0F, 39.0F}) {
        EXPECT_EQ(cudaGraphLaunch(graph, stream), cudaSuccess);
        cudaStreamSynchronize(stream);
        EXPECT_EQ(number.read()[0], right);
    }
    cudaGraphExecDestroy(graph);
}

TEST_F(Streams, order_between_captured_streams_holds_if_an_event_makes_it) {
    for (const bool waits : {true, false}) {
        cudaEvent_t joined = nullptr;
        cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
        cudaEventRecord(event, stream);
        launch(1, 1, add, number.data(), 1.0F);
        if (waits) {
            cudaEventRecord(event, stream);
        }
        cudaStreamWaitEvent(other, event);
        std::swap(stream, other);
        launch(1, 1, times, number.data(), 3.0F);
        cudaEventRecord(joined, stream);
        std::swap(stream, other);
        cudaStreamWaitEvent(stream, joined);
        cudaGraphExec_t const graph = make_graph();
        int right = 0;
        for (int run = 0; run < 4; ++run) {
            cudaMemset(number.data(), 0, sizeof(float));
            cudaGraphLaunch(graph, stream);
            cudaStreamSynchronize(stream);
            right += number.read()[0] == 3 ? 1 : 0;
        }
        EXPECT_EQ(right == 4, waits);
        cudaGraphExecDestroy(graph);
        cudaEventDestroy(joined);
    }
}

TEST_F(Streams, what_cannot_be_recorded_is_refused_and_breaks_the_recording) {
    void* block = nullptr;
    float pageable = 0;
    const std::vector<std::function<cudaError_t()>> calls{
        [&] { return cudaMalloc(&block, 64); },
        [&] { return cudaFree(number.data()); },
        [&] { return cudaStreamSynchronize(stream); },
        [&] { return cudaDeviceSynchronize(); },
        [&] { return cudaMemcpy(pinned, number.data(), 4, cudaMemcpyDefault); },
        [&] { return cudaMemcpyAsync(&pageable, number.data(), 4, cudaMemcpyDefault, stream); },
    };
    for (const auto& call : calls) {
        cudaGraph_t graph = nullptr;
        ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
        EXPECT_EQ(call(), cudaErrorStreamCaptureUnsupported);
        EXPECT_EQ(launch(1, 1, add, number.data(), 1.0F), cudaErrorStreamCaptureInvalidated);
        EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
        EXPECT_EQ(graph, nullptr);
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    }
}

TEST_F(Streams, other_threads_may_take_memory_while_this_one_records) {
    void* block = nullptr;
    cudaError_t status = cudaErrorNotReady;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    std::thread([&] { status = cudaMalloc(&block, 64); }).join();
    EXPECT_EQ(status, cudaSuccess);
    cudaGraphExecDestroy(make_graph());
    cudaFree(block);
}

TEST_F(Streams, recording_must_not_wait_for_what_is_outside_of_it) {
    cudaGraph_t graph = nullptr;
    cudaEventRecord(event, other);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    EXPECT_EQ(cudaStreamWaitEvent(stream, event), cudaErrorStreamCaptureIsolation);
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Streams, capture_that_leaves_a_stream_unjoined_is_refused) {
    cudaGraph_t graph = nullptr;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event);
    cudaMemsetAsync(number.data(), 0, sizeof(float), other);
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
}

TEST_F(Streams, forked_process_cannot_go_on) {
    GTEST_FLAG_SET(death_test_style, "fast");
    EXPECT_EXIT(::_exit(cudaDeviceSynchronize()), testing::ExitedWithCode(cudaErrorInitializationError), "");
}

}  // namespace
}  // namespace emulated::test
