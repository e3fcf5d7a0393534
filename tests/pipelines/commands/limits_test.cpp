// Limits of the process, on address space and threads: the host names the limit in one line and exits with code 4.
#include <grp.h>
#include <sys/resource.h>
#include <unistd.h>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Limits : public PipelineTest {
protected:
    void SetUp() override { write_tiny(); }
    // Trains under `limit`, and expects exit code 0, or exit code 4 with one line of error.
    Finished train_within(std::function<void()> limit) {
        process_options().before_start = std::move(limit);
        std::filesystem::remove_all(folder() / "run");
        const Finished finished = host({"train", "tiny.toml", "--run-folder", "run", "--quiet", "--steps", "2"});
        EXPECT_EQ(finished.signal, 0) << finished.err;
        EXPECT_TRUE(finished.exit == 0 || finished.exit == 4) << finished.exit << finished.err;
        EXPECT_EQ(finished.err.find("unexpected"), std::string::npos) << finished.err;
        EXPECT_EQ(finished.err.find("misbehaves"), std::string::npos) << finished.err;
        EXPECT_EQ(finished.err.find("are not used"), std::string::npos) << finished.err;
        EXPECT_EQ(count_of("\n" + finished.err, "\nE "), finished.exit == 0 ? 0U : 1U) << finished.err;
        return finished;
    }
    static std::function<void()> limit_address_space(rlim_t mib) {
        return [mib] {
            const rlimit most{mib << 20, mib << 20};
            ::setrlimit(RLIMIT_AS, &most);
        };
    }
};

TEST_F(Limits, of_address_space_end_a_run_with_what_it_lacks) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers need much address space themselves";
#endif
    bool is_enough = true;
    for (rlim_t mib = 216; mib >= 40; mib -= 8) {
        const Finished finished = train_within(limit_address_space(mib));
        is_enough = is_enough && finished.exit == 0;
        EXPECT_TRUE(finished.exit == 0 || finished.err.find("ulimit -v") != std::string::npos) << finished.err;
    }
    EXPECT_FALSE(is_enough);
}

// Kernels are timed with tensors of their final size, which do not fit here.
TEST_F(Limits, of_address_space_name_the_layer_and_the_block_that_did_not_fit) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers need much address space themselves";
#endif
    process_options().before_start = limit_address_space(4096);
    const std::string many = "1000000";
    expect_refused(host({"train", "tiny.toml", "--run-folder", "run", "--quiet", "--set", "data.batch=" + many, "--set",
                         "data.train.source.count=" + many}),
                   4,
                   {"layer 'conv2d': out of memory: cannot allocate a block of ", "GiB (sluice.kernel.onednn",
                    "the process has limits of ulimit -v 4194304"});
}

TEST_F(Limits, of_address_space_name_the_batch_that_did_not_fit) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers need much address space themselves";
#endif
    process_options().before_start = limit_address_space(4096);
    expect_refused(host({"drain", "tiny.toml", "--epochs", "1", "--set", "data.batch=100", "--set",
                         "data.train.source.count=100", "--set", "data.train.source.size=[8192, 8192]"}),
                   4,
                   {"data.train: out of memory for a batch of 100 samples (cannot allocate a block of 18.8 GiB)",
                    "the process has limits of ulimit -v 4194304"});
}

bool is_open_to_all(std::filesystem::path file) {
    for (; file.has_relative_path(); file = file.parent_path()) {
        const auto wanted = std::filesystem::perms::others_exec;
        if ((std::filesystem::status(file).permissions() & wanted) != wanted) {
            return false;
        }
    }
    return true;
}

// The limit counts all threads of a user, but it does not bind root.
class ThreadLimits : public Limits {
protected:
    void SetUp() override {
        if (::getuid() != 0 || !is_open_to_all(SLUICE_TEST_HOST)) {
            GTEST_SKIP() << "only root can become a user without processes, and all users must be able to enter the "
                            "build folder";
        }
        Limits::SetUp();
        std::filesystem::permissions(folder(), std::filesystem::perms::all);
        process_options().environment["ASAN_OPTIONS"] =
            sanitizer_options("detect_leaks=0");  // the search needs a thread
    }
    // Limits the threads of `user`, who has no other process.
    static std::function<void()> limit_to(rlim_t threads, uid_t user) {
        return [threads, user] {
            const rlimit most{threads, threads};
            ::setrlimit(RLIMIT_NPROC, &most);
            if (::setgroups(0, nullptr) != 0 || ::setgid(user) != 0 || ::setuid(user) != 0) {
                ::_exit(99);
            }
        };
    }
};

TEST_F(ThreadLimits, end_a_run_with_what_it_lacks) {
    constexpr uid_t kUser = 54321;
    for (const rlim_t threads : {1, 2, 3, 4}) {
        const Finished finished = train_within(limit_to(threads, kUser));
        if (finished.exit == 4) {
            EXPECT_NE(finished.err.find("ulimit -u " + std::to_string(threads)), std::string::npos) << finished.err;
        }
    }
    EXPECT_EQ(train_within(limit_to(1, kUser)).exit, 4);
    EXPECT_EQ(train_within(limit_to(1000, kUser)).exit, 0);
}

// Threads and processes that a check lacks are no fault of the plugin.
TEST_F(ThreadLimits, end_a_check_with_what_it_lacks) {
    constexpr uid_t kUser = 54323;
    for (const rlim_t threads : {1, 2, 3, 4, 5, 1000}) {
        process_options().before_start = limit_to(threads, kUser);
        const Finished finished = host({"check", "sgd"});
        EXPECT_EQ(finished.exit, threads == 1000 ? 0 : 4) << threads << finished.out << finished.err;
        EXPECT_EQ(finished.out.find("    failed"), std::string::npos) << threads << finished.out;
        EXPECT_EQ(finished.out.find("    crashed"), std::string::npos) << threads << finished.out;
        EXPECT_EQ(finished.err.find("unexpected"), std::string::npos) << threads << finished.err;
        const std::string limit = "ulimit -u " + std::to_string(threads) + " (processes and threads of the user)";
        EXPECT_EQ(count_of(finished.err, limit), threads == 1000 ? 0U : 1U) << threads << finished.err;
    }
}

// A plugin's probe is a child process, which cannot be started here.
TEST_F(ThreadLimits, end_the_first_load_of_a_plugin) {
    const std::string file = std::string(SLUICE_TEST_BROKEN_DIR) + "/sound/sound.so";
    write_tiny({{R"({ type = "relu" })", R"({ type = "sound", filters = 6 })"}});
    process_options().before_start = limit_to(1, 54324);
    expect_refused(host({"plan", "tiny.toml", "--plugin", file}), 4, {file, "could not be started", "ulimit -u 1 "});
}

// An mpirun that cannot start its processes would wait forever, and a process without a heartbeat would count as lost.
TEST_F(ThreadLimits, end_a_launch_at_once) {
    constexpr uid_t kUser = 54322;
    if (!std::filesystem::exists(std::filesystem::path(SLUICE_TEST_HOST).parent_path() /
                                 "plugins/sluice_multi_worker.so")) {
        GTEST_SKIP() << "the host was built without MPI";
    }
    for (const rlim_t threads : {1, 6, 9, 10}) {
        process_options().before_start = limit_to(threads, kUser);
        const Finished finished = host({"launch", "-n", "2", "tiny.toml", "--run-folder", "run", "--patience", "50"});
        EXPECT_EQ(finished.exit, 4) << finished.err;
        EXPECT_NE(finished.err.find("ulimit -u " + std::to_string(threads) + " (processes and threads of the user)"),
                  std::string::npos)
            << finished.err;
        EXPECT_EQ(count_of("\n" + finished.err, "\nE "), 1U) << finished.err;
        EXPECT_EQ(finished.err.find("terminate called"), std::string::npos) << finished.err;
    }
}

}  // namespace
}  // namespace sluice::test
