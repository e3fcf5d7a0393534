#include "machine.hpp"

#include <unistd.h>

#include "faults.hpp"
#include "symbol_name.hpp"

namespace emulated {

Machine& machine() {
    static auto* const only = new Machine;  // never destroyed, because others may use it while the process exits
    return *only;
}

void expect_usable(Machine& machine) {
    if (machine.process == 0) {
        machine.process = ::getpid();
        explain_faults(machine.memory);
    }
    if (machine.process != ::getpid()) {
        fail(cudaErrorInitializationError, "CUDA was used before this process was forked");
    }
    if (machine.broken) {
        throw Failure(*machine.broken);
    }
}

cudaError_t note(Machine& machine, const Failure& failure) {
    machine.last_failures[std::this_thread::get_id()] = failure.code;
    machine.last_texts[failure.code] = failure.text;
    return failure.code;
}

int Machine::device() const {
    const auto chosen = devices.find(std::this_thread::get_id());
    return chosen == devices.end() ? 0 : chosen->second;
}

void Machine::expect_own(cudaStream_t stream) {
    if (stream != nullptr && streams.get(stream).device != device()) {
        fail(cudaErrorInvalidResourceHandle, "the stream belongs to another device than the one that the thread uses");
    }
}

void Machine::forbid_while_capturing(const std::string& what) const {
    for (const auto& stream : streams.all()) {
        const std::shared_ptr<Recording>& recording = stream->recording;
        if (recording == nullptr || recording->mode == cudaStreamCaptureModeRelaxed ||
            (recording->mode == cudaStreamCaptureModeThreadLocal && recording->thread != std::this_thread::get_id())) {
            continue;
        }
        recording->is_broken = true;
        fail(cudaErrorStreamCaptureUnsupported, what + " while a stream is captured");
    }
}

void Machine::load(const void* kernel) {
    if (loaded.emplace(kernel, device()).second && streams.has_waiting_work(device())) {  // finding a name takes long
        forbid_while_waiting("loading kernel " + symbol_name(kernel));
    }
}

void Machine::forbid_while_waiting(const std::string& what) const {
    if (streams.has_waiting_work(device())) {
        fail(cudaErrorNotSupported, what + " while GPUs wait for each other");
    }
}

}  // namespace emulated
