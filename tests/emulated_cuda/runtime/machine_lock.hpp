// The lock that all functions of the emulated machine hold, and waiting for what other threads do with it.
#pragma once

#include <condition_variable>
#include <mutex>

namespace emulated {

struct MachineLock {
    std::recursive_mutex mutex;
    std::condition_variable_any moved;  // notified when a condition of wait() may be true

    // Call this inside running work: other threads may use the machine until is_over() is true.
    template <class IsOver>
    void wait(const IsOver& is_over) {
        moved.wait(mutex, is_over);
    }
};

}  // namespace emulated
