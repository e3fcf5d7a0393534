// The processor time of the calling thread. Unlike the time on a clock, it does not grow while other programs have the
// core. So a peak is not underestimated on a busy machine.
#pragma once

#include <algorithm>
#include <ctime>

namespace sluice {

class ThreadTime {
public:
    // Returns the seconds since it was made, more than 0.
    [[nodiscard]] double seconds() const { return std::max(read() - start_, 1e-9); }

private:
    static double read() {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    double start_ = read();
};

}  // namespace sluice
