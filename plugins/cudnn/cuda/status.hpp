// Turns status codes of the CUDA runtime into exceptions of the SDK.
#pragma once

#include <cuda_runtime.h>

#include <concepts>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "sluice/sdk/cuda_status.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::cudnn {

// Remembers, for each thread that captures a graph, the first call that CUDA refused to capture.
class UncapturedCall {
public:
    static void note(const std::string& action) {
        const std::lock_guard lock(all().mutex_);
        all().first_.try_emplace(std::this_thread::get_id(), action);
    }
    // Returns the calling thread's entry and removes it; empty: there is none.
    static std::string take() {
        const std::lock_guard lock(all().mutex_);
        const auto own = all().first_.extract(std::this_thread::get_id());
        return own.empty() ? std::string() : own.mapped();
    }

private:
    static UncapturedCall& all() {
        static UncapturedCall one;
        return one;
    }

    std::mutex mutex_;
    std::map<std::thread::id, std::string> first_;
};

// Throws a status that is not cudaSuccess. `action` opens the message: "copying 64 bytes".
[[noreturn]] inline void fail(cudaError_t status, const std::string& action) {
    cudaGetLastError();  // clears an error that is not sticky, so that no later call reports it
    const std::string message = action + ": CUDA says " + cudaGetErrorName(status) + ", " + cudaGetErrorString(status);
    const bool is_capture_error =
        status >= cudaErrorStreamCaptureUnsupported && status <= cudaErrorStreamCaptureWrongThread;
    if (is_capture_error) {
        UncapturedCall::note(message);
    }
    throw sdk::Failure(sdk::meaning_of(status), message);
}

inline void check(cudaError_t status, const char* action) {
    if (status != cudaSuccess) {
        fail(status, action);
    }
}

inline void check(cudaError_t status, const std::string& action) { check(status, action.c_str()); }

// action: makes the text, only after a failure. This one is for calls that each step makes.
template <std::invocable Action>
void check(cudaError_t status, const Action& action) {
    if (status != cudaSuccess) {
        fail(status, action());
    }
}

}  // namespace sluice::cudnn
