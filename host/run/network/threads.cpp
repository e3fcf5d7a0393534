#include "run/network/threads.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "registry/loading/plugin_call.hpp"

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace sluice::run {
namespace {

constexpr const char* kRuntime = "libgomp.so.1";
constexpr double kMostSpinning = 100e-6;  // seconds

bool is_loaded() { return ::dlopen(kRuntime, RTLD_LAZY | RTLD_NOLOAD) != nullptr; }

template <class Function>
void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    if (function == nullptr) {
        throw Error(Exit::device, std::string(kRuntime) + " has no " + name);
    }
}

// Measures the seconds of one turn of libgomp's waiting loop. Interruptions make it longer, so the shortest time
// counts.
double seconds_a_turn() {
    constexpr int kTurns = 400;
    std::atomic<int> watched{0};
    double shortest = 1.0;
    for (int attempt = 0; attempt < 3; ++attempt) {
        const auto before = std::chrono::steady_clock::now();
        for (int turn = 0; turn < kTurns && watched.load(std::memory_order_relaxed) == 0; ++turn) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
        shortest = std::min(shortest, std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
    }
    return shortest / kTurns;
}

// Writes before hand_over() are visible after take_over(). The start and end of an OpenMP team guarantee that anyway,
// but ThreadSanitizer does not see into the OpenMP runtime.
void hand_over([[maybe_unused]] const void* what) {
#ifdef __SANITIZE_THREAD__
    __tsan_release(const_cast<void*>(what));
#endif
}

void take_over([[maybe_unused]] const void* what) {
#ifdef __SANITIZE_THREAD__
    __tsan_acquire(const_cast<void*>(what));
#endif
}

struct Loop {
    int (*number)();
    int (*present)();
    std::int64_t n;
    std::int64_t pieces;
    void (*body)(void*, std::int64_t, std::int64_t, std::uint32_t) noexcept;
    void* context;
    const registry::PluginCall* call;  // the plugin call that runs this loop

    void run(std::int64_t piece) const {
        body(context, n * piece / pieces, n * (piece + 1) / pieces, static_cast<std::uint32_t>(piece));
    }
};

}  // namespace

// Every loop uses the whole team: libgomp would end threads for a smaller team and start them for a larger one.
void Threads::parallel_for(const sluice_threads* threads, std::int64_t n, std::int64_t grain,
                           void (*body)(void*, std::int64_t, std::int64_t, std::uint32_t) noexcept,
                           void* context) noexcept {
    if (n <= 0) {
        return;
    }
    const Runtime& runtime = static_cast<const Threads*>(threads->impl)->runtime_;
    const std::int64_t least = std::max<std::int64_t>(grain, 1);
    Loop loop{runtime.number, runtime.present,      n, std::clamp<std::int64_t>(n / least, 1, threads->count), body,
              context,        registry::plugin_call};
    if (loop.pieces == 1) {
        loop.run(0);
        return;
    }
    hand_over(&loop);
    runtime.parallel(
        [](void* data) {
            take_over(data);
            const Loop& own = *static_cast<const Loop*>(data);
            const registry::PluginCall* const outer = registry::begin_call(own.call);
            for (std::int64_t piece = own.number(); piece < own.pieces; piece += own.present()) {
                own.run(piece);
            }
            registry::plugin_call = outer;
            hand_over(data);
        },
        &loop, threads->count, 0);
    take_over(&loop);
}

Threads::Runtime Threads::load_runtime() {
    void* const library = ::dlopen(kRuntime, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        throw Error(Exit::device, std::string("no OpenMP runtime: ") + ::dlerror() + " (Debian: libgomp1)");
    }
    Runtime runtime;
    find(library, "omp_set_num_threads", runtime.set_count);
    find(library, "omp_get_thread_num", runtime.number);
    find(library, "omp_get_num_threads", runtime.present);
    find(library, "GOMP_parallel", runtime.parallel);
    return runtime;
}

Threads::Threads(int count) : runtime_(load_runtime()) {
    runtime_.set_count(count);
    api_.struct_size = sizeof(api_);
    api_.impl = this;
    api_.count = static_cast<std::uint32_t>(count);
    api_.parallel_for = parallel_for;
}

long spin_turns(double seconds_a_turn) {
    return std::max(static_cast<long>(kMostSpinning / std::max(seconds_a_turn, 1e-10)), 1L);
}

bool bound_spinning() {
    if (is_loaded()) {
        return false;
    }
    if (std::getenv("GOMP_SPINCOUNT") == nullptr && std::getenv("OMP_WAIT_POLICY") == nullptr) {
        ::setenv("GOMP_SPINCOUNT", std::to_string(spin_turns(seconds_a_turn())).c_str(), 1);
    }
    return true;
}

std::vector<std::string> openmp_runtimes() {
    std::vector<std::string> loaded;
    for (const char* name : {kRuntime, "libomp.so.5", "libiomp5.so"}) {
        if (::dlopen(name, RTLD_LAZY | RTLD_NOLOAD) != nullptr) {
            loaded.emplace_back(name);
        }
    }
    return loaded;
}

bool pin_threads(const std::vector<int>& cores) {
    if (is_loaded()) {
        return false;
    }
    ::setenv("OMP_PROC_BIND", "true", 0);
    ::setenv("OMP_PLACES", fmt::format("{{{}}}", fmt::join(cores, "},{")).c_str(), 0);
    return true;
}

}  // namespace sluice::run
