// The one emulated GPU, and how every function of the runtime begins and ends.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "failure.hpp"
#include "memory.hpp"
#include "streams.hpp"

namespace emulated {

struct Machine {
    std::recursive_mutex mutex;
    Memory memory;
    Streams streams;
    std::map<std::thread::id, int> devices;  // in use, where it is not the first; they share memory
    std::map<std::thread::id, cudaError_t> last_failures;
    std::map<cudaError_t, std::string> last_texts;  // of the last failure of each code
    std::optional<Failure> broken;                  // work that ran failed: nothing can be done any more
    std::set<std::pair<const void*, int>> loaded;   // kernels, and the device that has their code
    pid_t process = 0;                              // that used it first; CUDA does not work in its children
    unsigned launches = 0;
    std::condition_variable_any moved;  // what wait() waits for may be over

    // Runs work: device memory is open meanwhile. A failure breaks the machine.
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

    // In work that runs: other threads use the machine until it is over.
    template <class IsOver>
    void wait(const IsOver& is_over) {
        moved.wait(mutex, is_over);
    }

    // That the calling thread uses.
    [[nodiscard]] int device() const;
    // Throws where the stream belongs to another.
    void expect_own(cudaStream_t stream);
    // Throws where a recording goes on in which the calling thread must not do this.
    void forbid_while_recording(const std::string& what) const;
    // The thread's GPU needs its code now. CUDA loads it when it is first needed, which may wait for what runs.
    void load(const void* kernel);
    // Throws while the thread's GPU may wait for another: CUDA may let this wait for what it does.
    void forbid_while_meeting(const std::string& what) const;
};

Machine& machine();

// Whether it can be used: throws else.
void expect_usable(Machine& machine);
cudaError_t note(Machine& machine, const Failure& failure);

// body(Machine&) as a function of the runtime: what it throws becomes a code.
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
