// The threads of one replica: an OpenMP team, which oneDNN uses too, offered to kernels as sluice_threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/host.h"

namespace sluice::run {

class Threads {
public:
    // Sets the size of the calling thread's OpenMP team. Throws Error(Exit::device) if there is no OpenMP runtime.
    explicit Threads(int count);
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;
    [[nodiscard]] const sluice_threads* api() const { return &api_; }

private:
    // Functions of libgomp, which is loaded by the first Threads. The host does not link libgomp, since libgomp reads
    // its settings when it is loaded.
    struct Runtime {
        void (*set_count)(int) = nullptr;                                                    // omp_set_num_threads
        int (*number)() = nullptr;                                                           // omp_get_thread_num
        int (*present)() = nullptr;                                                          // omp_get_num_threads
        void (*parallel)(void (*)(void*), void*, unsigned count, unsigned flags) = nullptr;  // GOMP_parallel
    };

    static Runtime load_runtime();
    static void parallel_for(const sluice_threads* threads, std::int64_t n, std::int64_t grain,
                             void (*body)(void*, std::int64_t, std::int64_t, std::uint32_t) noexcept,
                             void* context) noexcept;

    Runtime runtime_;
    sluice_threads api_{};
};

// Returns how many turns a waiting thread may spin if one turn takes this long: at most 100 us, at least one turn.
long spin_turns(double seconds_a_turn);

// Limits the spinning of waiting OpenMP threads to about 100 us, enough for the gaps between the layers of a step.
// By default libgomp spins for milliseconds. On shared cores, a spinning thread then keeps the thread it waits for from
// running. A user's own GOMP_SPINCOUNT or OMP_WAIT_POLICY stays unchanged.
// Call it before anything loads libgomp, which reads its settings then. Returns false if libgomp was already loaded.
bool bound_spinning();
// Returns the OpenMP runtimes that this process has loaded so far.
std::vector<std::string> openmp_runtimes();
// Keeps each thread of the team on one of these cores. A user's own OMP_PROC_BIND and OMP_PLACES stay unchanged. Call
// it before libgomp is loaded; returns false if it was already loaded.
bool pin_threads(const std::vector<int>& cores);

}  // namespace sluice::run
