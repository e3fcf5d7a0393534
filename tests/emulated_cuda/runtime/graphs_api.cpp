// Captures streams into graphs, and replays those. With SLUICE_EMULATED_CUDA_PRIORITIES=1, collectives must keep their
// priority in a graph.
#include "figures.hpp"
#include "machine.hpp"

using emulated::entry;
using emulated::fail;
using emulated::Machine;

struct cudaGraphExec {
    std::shared_ptr<const emulated::Graph> graph;  // shared with launches that wait
    std::shared_ptr<bool> last_first;              // changes from launch to launch
};

namespace {

using emulated::Recording;

void end_on_all_streams(Machine& gpu, const std::shared_ptr<Recording>& recording) {
    for (const auto& stream : gpu.streams.all()) {
        if (stream->recording == recording) {
            stream->recording = nullptr;
            stream->last.clear();
        }
    }
}

void expect_own_end(const Recording& recording, const emulated::Stream& stream) {
    if (recording.origin != &stream) {
        fail(cudaErrorStreamCaptureUnmatched, "the capture was begun on another stream");
    }
    if (recording.mode != cudaStreamCaptureModeRelaxed && recording.thread != std::this_thread::get_id()) {
        fail(cudaErrorStreamCaptureWrongThread, "the capture was begun by another thread");
    }
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return entry([&](Machine& gpu) {
        if (stream == nullptr) {
            fail(cudaErrorStreamCaptureUnsupported, "the default stream cannot be captured");
        }
        emulated::Stream& on = gpu.streams.get(stream);
        if (on.recording) {
            fail(cudaErrorInvalidValue, "the stream is captured already");
        }
        on.recording = std::make_shared<Recording>(Recording{{}, &on, mode, std::this_thread::get_id()});
        on.last.clear();
    });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return entry([&](Machine& gpu) {
        *graph = nullptr;
        emulated::Stream& on = gpu.streams.get(stream);
        const std::shared_ptr<Recording> recording = on.recording;
        if (!recording) {
            fail(cudaErrorInvalidValue, "the stream is not captured");
        }
        expect_own_end(*recording, on);
        const bool is_joined = recording->graph.all_lead_to(on.last);
        end_on_all_streams(gpu, recording);
        if (recording->is_broken) {
            fail(cudaErrorStreamCaptureInvalidated, "a call could not be captured");
        }
        if (!is_joined) {
            fail(cudaErrorStreamCaptureUnjoined, "the stream does not wait for another stream of its capture");
        }
        *graph = new emulated::Graph(std::move(recording->graph));
    });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return entry([&](Machine& gpu) {
        const std::shared_ptr<Recording>& recording = gpu.streams.get(stream).recording;
        *status = !recording             ? cudaStreamCaptureStatusNone
                  : recording->is_broken ? cudaStreamCaptureStatusInvalidated
                                         : cudaStreamCaptureStatusActive;
    });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
    return entry([&](Machine&) {
        if (graph->waits_for_others && flags != cudaGraphInstantiateFlagUseNodePriority &&
            emulated::figure("PRIORITIES", 0) == 1) {
            fail(cudaErrorNotSupported, "collectives lose their priority in the graph");
        }
        *executable = new cudaGraphExec{std::make_shared<const emulated::Graph>(*graph), std::make_shared<bool>(true)};
    });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    return entry([&](Machine& gpu) {
        const auto work = [graph = executable->graph, last_first = executable->last_first] {
            *last_first = !*last_first;
            graph->run(*last_first);
        };
        emulated::Stream& on = gpu.streams.get(stream);
        executable->graph->waits_for_others ? gpu.streams.put_waiting(on, work) : gpu.streams.put(on, work);
    });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    return entry([&](Machine&) { delete executable; });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return entry([&](Machine&) { delete graph; });
}
