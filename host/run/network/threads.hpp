// The threads of one replica: an OpenMP team, the one that oneDNN uses too, offered to kernels as sluice_threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/host.h"

namespace sluice::run {

class Threads {
public:
    // Sets the size of the calling thread's OpenMP team. Throws Error(Exit::device) where there is no OpenMP runtime.
    explicit Threads(int count);
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;
    [[nodiscard]] const sluice_threads* api() const { return &api_; }

private:
    // Of libgomp, found when the first Threads are made: its settings are read when it is loaded, so it is not linked.
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

// How often a thread that waits may look again where one look takes so long: for at most 100 us, at least once.
long spin_turns(double seconds_a_turn);

// To be called before anything has loaded libgomp, which reads its settings then. A thread of the team that waits spins
// for at most some 100 us, long enough for the gaps between the layers of a step, and then sleeps: by default libgomp
// spins for milliseconds, and where cores are shared the thread that spins keeps the one that it waits for from
// running. A user's own GOMP_SPINCOUNT or OMP_WAIT_POLICY is left alone. False where libgomp was loaded already.
bool bound_spinning();
// The OpenMP runtimes that this process has loaded so far.
std::vector<std::string> openmp_runtimes();
// Each thread of the team stays on one of these cores; a user's own OMP_PROC_BIND and OMP_PLACES are left alone. As
// above.
bool pin_threads(const std::vector<int>& cores);

}  // namespace sluice::run
