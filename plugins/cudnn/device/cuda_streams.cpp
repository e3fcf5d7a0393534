#include "device/cuda_streams.hpp"

#include <utility>

#include "cuda/status.hpp"

namespace sluice::cudnn {
namespace {

cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t event_of(void* event) { return static_cast<cudaEvent_t>(event); }
cudaGraphExec_t graph_of(void* graph) { return static_cast<cudaGraphExec_t>(graph); }

}  // namespace

void CudaStreams::use() const { check(select(), "selecting the GPU"); }

// A thread that waits for an event sleeps, so that data workers can use its core.
void* CudaStreams::event_create() {
    cudaEvent_t event = nullptr;
    use();
    check(cudaEventCreateWithFlags(&event, cudaEventBlockingSync), "creating an event");
    return event;
}

void CudaStreams::event_destroy(void* event) noexcept {
    if (event != nullptr && select() == cudaSuccess) {
        cudaEventDestroy(event_of(event));
    }
}

void CudaStreams::event_record(void* event, void* stream) {
    use();
    check(cudaEventRecord(event_of(event), stream_of(stream)), "recording an event");
}

void CudaStreams::stream_wait_event(void* stream, void* event) {
    use();
    check(cudaStreamWaitEvent(stream_of(stream), event_of(event), 0), "making a stream wait for an event");
}

void CudaStreams::event_wait(void* event) {
    use();
    check(cudaEventSynchronize(event_of(event)), "waiting for the GPU");
}

double CudaStreams::event_seconds(void* from, void* to) {
    float milliseconds = 0.0F;
    use();
    check(cudaEventElapsedTime(&milliseconds, event_of(from), event_of(to)), "reading the time between two events");
    return 1e-3 * static_cast<double>(milliseconds);
}

void CudaStreams::capture_begin(void* stream) {
    use();
    UncapturedCall::take();
    check(cudaStreamBeginCapture(stream_of(stream), cudaStreamCaptureModeThreadLocal), "beginning to capture a stream");
}

// After this call the stream works as before, even if the capture failed.
void* CudaStreams::capture_end(void* stream) {
    cudaGraph_t graph = nullptr;
    const cudaError_t status = cudaStreamEndCapture(stream_of(stream), &graph);
    const std::string culprit = UncapturedCall::take();
    if (status == cudaSuccess && culprit.empty() && graph != nullptr) {
        cudaGraphExec_t ready = nullptr;
        // Kernels keep the priority of the stream on which they were captured.
        const cudaError_t made = cudaGraphInstantiate(&ready, graph, cudaGraphInstantiateFlagUseNodePriority);
        cudaGraphDestroy(graph);
        check(made, "instantiating a captured graph");
        return ready;
    }
    cudaGetLastError();
    if (graph != nullptr) {
        cudaGraphDestroy(graph);
    }
    throw sdk::Failure(SLUICE_FAILED,
                       "the work on the stream cannot be captured as a graph: " +
                           (culprit.empty() ? std::string("CUDA says ") + cudaGetErrorString(status) : culprit));
}

void CudaStreams::graph_launch(void* graph, void* stream) {
    use();
    check(cudaGraphLaunch(graph_of(graph), stream_of(stream)), "replaying a captured graph");
}

void CudaStreams::graph_destroy(void* graph) noexcept {
    if (graph != nullptr && select() == cudaSuccess) {
        cudaGraphExecDestroy(graph_of(graph));
    }
}

}  // namespace sluice::cudnn
