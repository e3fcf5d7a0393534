// The one emulated machine, and the code with which all functions of the runtime begin and return.
#pragma once

#include <sys/types.h>

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "activities.hpp"
#include "failure.hpp"
#include "machine_lock.hpp"
#include "memory.hpp"
#include "streams.hpp"

namespace emulated {

struct Machine : MachineLock {
    Memory memory;
    Activities activities;
    Streams streams{*this, activities};
    std::map<std::thread::id, int> devices;  // the device of each thread, if not the first; all share memory
    std::map<std::thread::id, cudaError_t> last_failures;
    std::map<cudaError_t, std::string> last_texts;  // of the last failure of each code
    std::optional<Failure> broken;                  // work failed, and all later calls fail with it
    std::set<std::pair<const void*, int>> loaded;   // kernels, and the devices that have their code
    pid_t process = 0;                              // the one that used it first; CUDA does not work in its children
    unsigned launches = 0;

    // Runs work with device memory open. A failure breaks the machine.
    template <class Body>
    void run(Body&& body) {
        try {
            Memory::Open open(memory);
            body();
            if (const std::string damage = open.damage(); !damage.empty()) {
                fail(cudaErrorIllegalAddress, damage);
            }
        } catch (const Failure& failure) {
            broken = failure;
            streams.forget_everything();
            throw;
        }
    }

    // Returns the device that the calling thread uses.
    [[nodiscard]] int device() const;
    // Throws if the stream belongs to another device than the thread's.
    void expect_own(cudaStream_t stream);
    // Throws if a capture is in progress during which the calling thread must not do this.
    void forbid_while_capturing(const std::string& what) const;
    // Loads the kernel's code to the thread's GPU. CUDA does this at the first use, which may wait for running work.
    void load(const void* kernel);
    // Throws while the thread's GPU may wait for another, because CUDA may make this call wait for the GPU's work.
    void forbid_while_waiting(const std::string& what) const;
};

Machine& machine();

// Throws if the machine cannot be used.
void expect_usable(Machine& machine);
cudaError_t note(Machine& machine, const Failure& failure);

// Runs body(Machine&) as a function of the runtime: a Failure becomes a code.
template <class Body>
cudaError_t entry(Body&& body) {
    Machine& gpu = machine();
    const std::lock_guard lock(gpu.mutex);
    try {
        expect_usable(gpu);
        body(gpu);
        return cudaSuccess;
    } catch (const Failure& failure) {
        return note(gpu, failure);
    }
}

}  // namespace emulated
