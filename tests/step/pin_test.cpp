// device.pin: threads that compute keep to a core each; all others may go where the process may.
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
        std::size_t confined = 0;     // that may use one core only
        std::set<std::string> cores;  // of those
    };

    // Of a training.
    Threads run(const std::string& pin) {
        // Wide enough not to be run on one thread.
        write_tiny({{"filters = 6", "filters = 64"}, {"rate = 1e-3", "rate = 1e-3\n[observe]\nuse = [\"witness\"]"}});
        const Finished finished =
            train("run" + pin, {"--plugin", SLUICE_TEST_STEP_PLUGINS, "--set", "device.pin=" + pin});
        Threads threads;
        const std::size_t told = finished.err.find("threads ");
        EXPECT_EQ(std::sscanf(finished.err.c_str() + told, "threads %zu compute", &threads.compute), 1) << finished.err;
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

// Cores of this process, and so of the one that it runs.
int core_count() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    EXPECT_EQ(::sched_getaffinity(0, sizeof(cores), &cores), 0);
    return CPU_COUNT(&cores);
}

TEST_F(Pin, only_where_asked_and_only_what_computes) {
    const Threads free = run("false");
    const Threads pinned = run("true");
    EXPECT_EQ(pinned.compute, free.compute);
    if (core_count() == 1) {  // where all threads are, asked or not
        EXPECT_EQ(free.compute, 1U);
        EXPECT_EQ(pinned.confined, free.confined);
    } else {
        EXPECT_EQ(free.confined, 0U);
        EXPECT_EQ(pinned.confined, pinned.compute);
    }
}

// As srun tells it to two processes on this machine, of which it has bound none.
TEST_F(Pin, processes_beside_each_other_have_cores_of_their_own) {
    const int cores = core_count();
    if (cores == 1) {
        GTEST_SKIP() << "one core";
    }
    const auto cores_of = [&](const std::string& number) {
        surroundings().environment = {{"PMIX_RANK", "0"},  // the one that tells
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
