// One training by several processes, which `host launch` starts and watches.
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <future>
#include <thread>

#include "pictures.hpp"
#include "replicas/processes_test.hpp"

namespace sluice::test {
namespace {

TEST_F(Processes, learn_as_one_does) {
    write_tiny(whole_batch({{"count = 4, size = [24, 32]", "count = 7, size = [24, 32]"},
                            {"count = 16", "count = 18"},
                            {"[train]\n", "[train]\naccumulate = 2\nema = 0.9\n"}}));
    train("one", sets(kClipped));
    for (const int processes : {1, 2, 3}) {
        const std::string run = "processes" + std::to_string(processes);
        expect_success(host(trained(processes, run, sets(joined({"strategy.bucket=256 B"}, kClipped)))));
        expect_near(run, "one", 1e-4);
        EXPECT_EQ(epoch_hashes(run), epoch_hashes("one")) << "the SHA-256 does not cover the samples of all processes";
    }
}

TEST_F(Processes, normalise_the_batch_of_all_if_they_are_synchronized) {
    write_tiny(synchronized({{"count = 16", "count = 18"}}));
    train("one", sets(kClipped));
    expect_success(host(trained(3, "three", sets(kClipped))));
    expect_near("three", "one", 1e-4);
}

// With `auto`, each process measures its own steps, and the bits are still the same. All have equally many samples, for
// which the first process chooses the kernels.
TEST_F(Processes, exchange_gradients_in_buckets_of_any_size) {
    write_tiny(joined(two_buckets(), Replacements{{"count = 16", "count = 18"}}));
    const auto train_with = [&](const std::string& run, const std::string& bucket) {
        const Finished finished = host(trained(3, run, sets({"data.batch=6", "strategy.bucket=" + bucket})));
        expect_success(finished);
        return count_of(finished.err, "of gradients are sent together from now on");
    };
    EXPECT_EQ(train_with("whole", "4 MiB"), 0U);
    EXPECT_EQ(train_with("small", "10 KiB"), 0U);
    EXPECT_EQ(train_with("auto", "auto"), 1U);
    expect_same_bits("small", "whole");
    expect_same_bits("auto", "whole");
}

// It does not matter which replica computes which micro-shard, even if replicas are threads of one process.
TEST_F(Processes, have_the_same_bits_of_the_same_micro_shards) {
    write_tiny({{"count = 16", "count = 18"},
                {"count = 4, size = [24, 32]", "count = 7, size = [24, 32]"},
                {"[train]\n", "[train]\naccumulate = 2\nema = 0.9\n"},
                kEveryStep});
    const std::vector<std::string> cut = sets({"strategy.micro_shards=4", "optimizer.clip_norm=0.1"});
    train("one", cut);
    for (const int processes : {1, 2, 4}) {
        const std::string run = "processes" + std::to_string(processes);
        expect_success(host(trained(processes, run, cut)));
        expect_same_bits(run, "one");
        expect_near(run, "one", 0.0);
    }
    expect_success(host(trained(2, "threads", joined(cut, sets({"strategy.replicas=2"})))));
    expect_same_bits("threads", "one");
}

TEST_F(Processes, resume_with_another_number_of_them) {
    write_tiny({kEveryStep});
    const std::vector<std::string> cut = sets({"strategy.micro_shards=4"});
    train("whole", cut);
    expect_success(host(trained(2, "run", joined(cut, std::vector<std::string>{"--steps", "3"}))));
    expect_success(host(launched(4, {"resume", "run", "--set", "train.steps=6"})));
    expect_success(host({"resume", "run", "--set", "train.steps=8", "--set", "strategy.use=single"}));
    expect_same_bits("run", "whole");
    EXPECT_EQ(epoch_hashes("run"), epoch_hashes("whole"));
}

TEST_F(Processes, that_go_on_with_other_samples_tell_no_sha256_of_the_epoch) {
    write_tiny({kEveryStep});
    train("run", {"--steps", "3"});
    const Finished finished = host(launched(
        2, {"resume", "run", "--set", "train.steps=8", "--set", "strategy.use=multi_worker", "--set",
            "data.train.map=[{ use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 9, angle = 0 }]"}));
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, "the samples are not those that epoch 1 began with"), 1U) << finished.err;
    const auto hashes = epoch_hashes("run");
    ASSERT_EQ(hashes.size(), 1U);
    EXPECT_EQ(hashes[0].first, 2);
}

// Only one process, the first or another, makes the bad sample. The run resumes after the file is repaired.
TEST_F(Processes, that_find_a_bad_sample_name_it_and_save) {
    for (int i = 0; i < 8; ++i) {
        write("photos/" + std::to_string(i) + ".png", png_of(make_picture(48, 48, 3, i)));
    }
    write_tiny({{R"(source = { use = "dead_leaves", count = 16, size = [32, 32] })",
                 R"(source = { use = "photos", folder = "photos" })"},
                {"map = [\n", "map = [\n  { use = \"decode\" },\n  { use = \"random_crop\", size = [32, 32] },\n"},
                {"epochs = 2", "epochs = 200000"},
                {"every = \"1 epoch\"", "every = \"100000 epochs\""},
                {"\"cosine\"", "\"constant\""}});
    for (int bad = 0; bad < 8; bad += 3) {
        const std::string name = "photos/" + std::to_string(bad) + ".png";
        const std::string good = read_bytes(folder() / name);
        const std::string run = "run" + std::to_string(bad);
        HostProcess launcher(trained(2, run, {}), process_options());
        ASSERT_TRUE(launcher.wait_for_file(folder() / run / "batch_0.png"));
        write(name, "dear diary");
        const Finished finished = launcher.finish();
        EXPECT_EQ(finished.exit, 3) << finished.err;
        expect_contains(finished.err, {name});
        EXPECT_TRUE(processes().empty());
        write(name, good);
        const int saved = std::stoi(metadata_of(checkpoint(run)).at("step"));
        const std::string goal = std::to_string(saved + 4);
        expect_success(host(launched(2, {"resume", run, "--set", "train.steps=" + goal})));
        train("whole" + run, {"--steps", goal});
        EXPECT_EQ(epoch_hashes(run), epoch_hashes("whole" + run));
    }
}

// Some processes have no sample of a batch.
TEST_F(Processes, evaluate_as_one_does) {
    write("photos/0.png", png_of(make_picture(24, 32)));
    write("photos/1.png", png_of(make_picture(40, 16)));
    for (const Replacements& data :
         {Replacements{{"count = 4, size = [24, 32]", "count = 1, size = [24, 32]"}}, kValidationOnPhotos}) {
        write_tiny(whole_batch(data));
        train("one");
        expect_success(host(trained(3, "three", {})));
        expect_near("three", "one", 1e-4);
        fs::remove_all(folder() / "one");
        fs::remove_all(folder() / "three");
    }
}

// Samples are evaluated one by one and in batches. Of the first batch, one process makes only bad samples.
TEST_F(Processes, leave_the_same_out_of_an_evaluation) {
    for (const std::string crop : {"", "{ use = \"center_crop\", size = [24, 24] }, "}) {
        Replacements pipeline = whole_batch(kValidationOnPhotos);
        pipeline.push_back({"map = [{ use = \"decode\" }, ", "map = [{ use = \"decode\" }, " + crop});
        write_tiny(pipeline);
        for (int i = 0; i < 10; ++i) {
            write("photos/" + std::to_string(i) + ".png", png_of(make_picture(24, 32, 3, i)));
        }
        for (const int i : {0, 1, 6}) {
            fs::remove(folder() / "photos" / (std::to_string(i) + ".png"));
        }
        train("one");
        for (const int i : {0, 1, 6}) {
            write("photos/" + std::to_string(i) + ".png", "dear diary");
        }
        const std::vector<std::string> lenient = sets({"data.skip_bad=3"});
        expect_success(host(trained(2, "two", lenient)));
        train("mirrored", mirrored(2, {"data.skip_bad=3"}));
        for (const char* const run : {"two", "mirrored"}) {
            expect_near(run, "one", 1e-4);
        }
        const Finished strict = host(trained(2, "strict", sets({"data.skip_bad=2"})));
        EXPECT_EQ(strict.exit, 3) << strict.err;
        expect_contains(strict.err, {"data.validation: sample", "that makes 3 bad samples, but data.skip_bad = 2"});
        for (const char* const run : {"one", "two", "mirrored", "strict"}) {
            fs::remove_all(folder() / run);
        }
    }
}

// mpirun itself starts the processes, and one is asked to stop while it waits for samples.
TEST_F(Processes, of_mpirun_stop_when_one_is_asked_to) {
    write_tiny(joined({{"epochs = 2", "epochs = 1000000"}, {"\"cosine\"", "\"constant\""}}, kSlowSamples));
    std::future<int> ended =
        std::async(std::launch::async, [this] { return mpirun("-n 2 " + kTrain + " --run-folder run"); });
    for (int i = 0; i < 6000 && !fs::exists(folder() / "run/batch_0.png"); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const std::vector<pid_t> all = processes();
    ASSERT_EQ(all.size(), 2U);
    ::kill(all[1], SIGUSR1);  // a scheduler's warning
    EXPECT_EQ(WEXITSTATUS(ended.get()), 128 + SIGUSR1);
    const std::string output = read_bytes(folder() / "out.txt");
    EXPECT_EQ(count_of(output, "stopped and saved at step"), 1U) << output;
}

TEST_F(Processes, bound_to_fewer_cores_than_their_launcher_has_say_so) {
    if (std::thread::hardware_concurrency() < 2) {
        GTEST_SKIP() << "the machine has only one core";
    }
    write_tiny();
    const auto output = [this](const std::string& binding) {
        fs::remove_all(folder() / "run");
        EXPECT_EQ(mpirun("-n 1 --bind-to " + binding + " " + kTrain + " --run-folder run --steps 1"), 0);
        return read_bytes(folder() / "out.txt");
    };
    EXPECT_NE(output("core").find("has bound each process to 1 core, which leaves "), std::string::npos);
    EXPECT_EQ(output("none").find("idle"), std::string::npos);
}

// Each process has a pipeline of its own.
TEST_F(Processes, of_mpirun_that_differ_are_named) {
    write_tiny();
    EXPECT_NE(mpirun("-n 2 sh -c 'exec " + kTrain + " --set seed=3$OMPI_COMM_WORLD_RANK'"), 0);
    expect_contains(read_bytes(folder() / "out.txt"), {"process 1 has another pipeline than process 0: "});
    EXPECT_FALSE(fs::exists(folder() / "runs"));
}

TEST_F(Processes, tell_what_they_win) {
    write_tiny({{"epochs = 2", "epochs = 4"}});
    const Finished finished = host(trained(2, "run", {}));
    EXPECT_EQ(count_of(finished.err, "I replicas 2: "), 1U) << finished.err;
}

// The shares are of one step, even if more processes than cores wait for each other.
TEST_F(Processes, tell_shares_that_none_counts_twice) {
    write_tiny({{"epochs = 2", "epochs = 4"}});
    const Finished finished = host(trained(4, "run", {}));
    expect_success(finished);
    EXPECT_LE(wait_shares(finished.err).sum(), 100) << finished.err;
}

// Their gradients are large enough for bfloat16 as wire type.
TEST_F(Processes, of_one_machine_blame_no_network) {
    write_tiny(two_buckets());
    const Finished finished = host(trained(2, "run", sets({"strategy.bucket=1 MiB"})));
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, "I replicas 2: "), 1U) << finished.err;
    EXPECT_EQ(count_of(finished.err, "network"), 0U) << finished.err;
    EXPECT_EQ(count_of(finished.err, "strategy.wire"), 0U) << finished.err;
}

TEST_F(Processes, that_cannot_begin_say_why) {
    write_tiny();
    const Finished small = host(trained(5, "run", {}));
    EXPECT_EQ(small.exit, 2);
    expect_contains(small.err, {"a batch of 4 samples cannot be shared by 5 replicas"});
    const Finished alone = host({"launch", "tiny.toml"});
    expect_refused(alone, 2, {"-n N and a pipeline file", "host launch -n 4"});
    write("none", "# node1 slots=2\n\n");
    expect_refused(host(launched(2, {"--hostfile", "nofile", "tiny.toml"})), 2, {"nofile: cannot read: No such file"});
    expect_refused(host(launched(2, {"tiny.toml", "--hostfile=none"})), 2,
                   {"none: no host is in this file; lines like \"node1 slots=2\" are needed"});
    const Finished single = host(trained(2, "run", {"--set", "strategy.use=single"}));
    EXPECT_EQ(single.exit, 2);
    expect_contains(single.err, {"of 2 that were started together", "strategy.use = \"multi_worker\""});
    process_options().environment["PATH"] = "/nowhere";
    expect_refused(host(trained(2, "run", {})), 2, {"mpirun cannot be started", "openmpi-bin"});
}

// Otherwise each process would train alone what the user wants them to share.
TEST_F(Processes, of_srun_that_cannot_meet_are_refused) {
    write_tiny();
    process_options().environment["SLURM_STEP_NUM_TASKS"] = "2";
    expect_refused(host(joined({"train", "tiny.toml"}, sets({"strategy.use=multi_worker"}))), 2,
                   {"srun has started 2 processes that cannot find each other", "srun --mpi=pmix"});
    process_options().environment["SLURM_STEP_NUM_TASKS"] = "1";
    train("run", sets({"strategy.use=multi_worker"}));
}

TEST_F(Processes, that_are_all_refused_say_so_once) {
    write_tiny();
    for (const auto& [value, part] : {std::pair{"data.batc=4", "unknown key 'batc'"},
                                      std::pair{"data.batch=2", "a batch of 2 samples cannot be shared by 3"}}) {
        const Finished refused = host(trained(3, "run", sets({value})));
        expect_refused(refused, 2, {part});
        EXPECT_EQ(refused.err.find(part), refused.err.rfind(part)) << refused.err;
    }
}

TEST_F(Processes, train_the_same_bits_if_each_call_is_checked) {
    write_tiny(synchronized());
    expect_success(host(trained(2, "plain", {})));
    expect_success(host(trained(2, "checked", {"--plugin-checks"})));
    expect_same_bits("plain", "checked");
}

}  // namespace
}  // namespace sluice::test
