#include "check/isolation/thread_shortage.hpp"

#include <sys/mman.h>

#include <atomic>
#include <new>

#include "base/machine.hpp"

namespace sluice::check {
namespace {

constinit std::atomic<bool> unshared_record = false;

// Lies in memory that forked processes share. Without such memory each process has its own.
std::atomic<bool>& record() noexcept {
    static std::atomic<bool>* const only = [] {
        void* const memory =
            ::mmap(nullptr, sizeof(unshared_record), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? &unshared_record : new (memory) std::atomic<bool>(false);
    }();
    return *only;
}

}  // namespace

void record_thread_shortage() noexcept { record() = true; }

void forget_thread_shortage() noexcept { record() = false; }

Finding skip_if_threads_lacked(Finding finding) {
    if (finding.result != Result::passed && !finding.lacked_threads && record()) {
        finding.result = Result::skipped;
        finding.lacked_threads = true;
        finding.reason = no_thread_text();
    }
    return finding;
}

}  // namespace sluice::check
