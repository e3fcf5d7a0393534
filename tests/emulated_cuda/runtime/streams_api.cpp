// Streams and events.
#include <algorithm>

#include "machine.hpp"

using emulated::entry;
using emulated::fail;
using emulated::Machine;

namespace {

void expect_no_recording(emulated::Stream& stream, const char* what) {
    if (stream.recording) {
        stream.recording->is_broken = true;
        fail(cudaErrorStreamCaptureUnsupported, std::string(what) + " a stream that is captured");
    }
}

// Returns the mark to wait for; NULL: the event was never recorded.
emulated::Mark* expect_mark(emulated::Event& event) {
    if (event.is_recorded_in_graph) {
        if (const auto recording = event.recording.lock()) {
            recording->is_broken = true;
        }
        fail(cudaErrorCapturedEvent, "the event is part of a capture, not of a stream");
    }
    return event.mark.get();
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return entry([&](Machine& gpu) { *stream = gpu.streams.create(gpu.device(), flags == cudaStreamDefault); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return entry([&](Machine& gpu) {
        *stream = gpu.streams.create(gpu.device(), flags == cudaStreamDefault);
        (*stream)->priority = std::clamp(priority, emulated::kHighestPriority, 0);
    });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
    *lowest = 0;
    *highest = emulated::kHighestPriority;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return entry([&](Machine& gpu) {
        if (stream == nullptr) {
            fail(cudaErrorInvalidResourceHandle, "the default stream cannot be destroyed");
        }
        expect_no_recording(gpu.streams.get(stream), "destroying");
        gpu.run([&] { gpu.streams.destroy(stream); });
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return entry([&](Machine& gpu) {
        emulated::Stream& on = gpu.streams.get(stream);
        expect_no_recording(on, "waiting for");
        gpu.run([&] { gpu.streams.run_all(on); });
    });
}

// Each call runs one more piece of the stream's work.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return entry([&](Machine& gpu) {
        emulated::Stream& on = gpu.streams.get(stream);
        expect_no_recording(on, "querying");
        if (!on.work.empty()) {
            gpu.run([&] { gpu.streams.run_next(on); });
            throw emulated::Failure{cudaErrorNotReady, "not finished yet"};
        }
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned /*flags*/) {
    return entry([&](Machine& gpu) { gpu.streams.wait_for(gpu.streams.get(stream), *event); });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return entry([&](Machine& gpu) {
        *event = new emulated::Event{gpu.device(), (flags & cudaEventDisableTiming) == 0, {}, {}, {}};
    });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return entry([&](Machine&) { delete event; });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return entry([&](Machine& gpu) { gpu.streams.record(*event, gpu.streams.get(stream)); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return entry([&](Machine& gpu) {
        if (const emulated::Mark* const mark = expect_mark(*event)) {
            gpu.run([&] { gpu.streams.run_until(*mark); });
        }
    });
}

// Each call runs one more piece of work of the event's stream.
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return entry([&](Machine& gpu) {
        const emulated::Mark* const mark = expect_mark(*event);
        if (mark != nullptr && !mark->has_passed) {
            gpu.run([&] { gpu.streams.run_next(*mark->stream); });
            throw emulated::Failure{cudaErrorNotReady, "not finished yet"};
        }
    });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
    return entry([&](Machine&) {
        const emulated::Mark* const first = expect_mark(*from);
        const emulated::Mark* const last = expect_mark(*to);
        if (first == nullptr || last == nullptr || !from->has_time || !to->has_time) {
            fail(cudaErrorInvalidResourceHandle, "an event was never recorded, or was created without timing");
        }
        if (!first->has_passed || !last->has_passed) {
            throw emulated::Failure{cudaErrorNotReady, "an event has not passed yet"};
        }
        *milliseconds = std::chrono::duration<float, std::milli>(last->at - first->at).count();
    });
}
