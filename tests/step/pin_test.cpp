// device.pin: each thread that computes keeps to one core, and all others may use every core of the process.
#include <sched.h>

#include <cstdio>
#include <set>
#include <sstream>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Pin : public PipelineTest {
protected:
    struct Threads {
        std::size_t compute = 0;
        std::size_t confined = 0;     // threads that may use one core only
        std::set<std::string> cores;  // the cores of those threads
    };

    // Trains, and returns the threads of that run.
    Threads run(const std::string& pin) {
        // The layers are wide enough to be computed by more than one thread.
        write_tiny({{"filters = 6", "filters = 64"}, {"rate = 1e-3", "rate = 1e-3\n[observe]\nuse = [\"inspector\"]"}});
        const Finished finished =
            train("run" + pin, {"--plugin", SLUICE_TEST_STEP_PLUGINS, "--set", "device.pin=" + pin});
        Threads threads;
        const std::size_t at_threads = finished.err.find("threads ");
        EXPECT_EQ(std::sscanf(finished.err.c_str() + at_threads, "threads %zu compute", &threads.compute), 1)
            << finished.err;
        std::stringstream list(read_bytes(folder() / "threads.txt"));
        for (std::string cores; std::getline(list, cores);) {
            if (cores.find_first_of(",-") == std::string::npos) {
                ++threads.confined;
                threads.cores.insert(cores);
            }
        }
        return threads;
    }
};

// Returns the number of cores of this process, which the host inherits.
int core_count() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    EXPECT_EQ(::sched_getaffinity(0, sizeof(cores), &cores), 0);
    return CPU_COUNT(&cores);
}

TEST_F(Pin, only_if_asked_and_only_what_computes) {
    const Threads free = run("false");
    const Threads pinned = run("true");
    EXPECT_EQ(pinned.compute, free.compute);
    if (core_count() == 1) {  // all threads use it, pinned or not
        EXPECT_EQ(free.compute, 1U);
        EXPECT_EQ(pinned.confined, free.confined);
    } else {
        EXPECT_EQ(free.confined, 0U);
        EXPECT_EQ(pinned.confined, pinned.compute);
    }
}

// srun sets these variables for two processes on one machine that it has not bound to cores.
TEST_F(Pin, processes_beside_each_other_have_cores_of_their_own) {
    const int cores = core_count();
    if (cores == 1) {
        GTEST_SKIP() << "the machine has only one core";
    }
    const auto cores_of = [&](const std::string& number) {
        process_options().environment = {{"PMIX_RANK", "0"},  // rank 0 logs
                                         {"SLURM_STEP_ID", "0"},
                                         {"SLURM_LOCALID", number},
                                         {"SLURM_STEP_TASKS_PER_NODE", "2"},
                                         {"SLURM_CPUS_ON_NODE", std::to_string(cores)}};
        std::filesystem::remove_all(folder() / "runtrue");
        const Threads threads = run("true");
        EXPECT_EQ(threads.confined, threads.compute);
        return threads.cores;
    };
    std::set<std::string> all = cores_of("0");
    const std::set<std::string> second = cores_of("1");
    EXPECT_FALSE(second.empty());
    for (const std::string& core : second) {
        EXPECT_TRUE(all.insert(core).second) << core;
    }
}

}  // namespace
}  // namespace sluice::test
