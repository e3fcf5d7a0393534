// CPU time of the threads of this process by class, and the time that they waited for a core.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "observe/usage/proc_file.hpp"
#include "observe/usage/thread_class.hpp"

namespace sluice::observe {

// Seconds since the meter was made. Those of a thread's last moments are missing, because its files vanish with it.
struct ThreadSums {
    std::array<double, kThreadClasses.size()> cpu{};     // by class
    std::array<double, kThreadClasses.size()> queued{};  // runnable, but waiting for a core: by class
    bool is_known = false;

    [[nodiscard]] double queued_in_all() const { return std::accumulate(queued.begin(), queued.end(), 0.0); }
};

class ThreadMeter {
public:
    // `tasks` has a folder for each thread.
    explicit ThreadMeter(std::filesystem::path tasks = "/proc/self/task");
    // Reads one file of each thread. It lists the threads again if their number has changed, and now and then.
    // `seconds` have passed since the last call. No thread waited longer: Linux 6.12 and later count some sleeps too.
    const ThreadSums& read(double seconds, ProcBuffer& buffer);

private:
    struct Thread {
        pid_t id = 0;
        ProcFile schedstat;
        ThreadClass kind = ThreadClass::other;
        std::uint64_t cpu = 0;     // nanoseconds at the last read()
        std::uint64_t queued = 0;  // the same
        bool is_there = true;
    };

    void list(ProcBuffer& buffer);
    // Returns false if the thread has ended.
    bool add(Thread& thread, double seconds, ProcBuffer& buffer);

    std::filesystem::path tasks_;
    std::string process_name_;
    std::vector<Thread> threads_;     // by id
    std::uint64_t listed_links_ = 0;  // of the folder when the threads were listed; it has one for each thread
    int reads_since_list_ = 0;
    bool must_list_ = true;
    bool is_first_ = true;
    ThreadSums sums_;
};

}  // namespace sluice::observe
