// How long the processes of a training wait for each other, and how a training fails that would wait forever.
#include <chrono>

#include "pictures.hpp"
#include "replicas/processes_test.hpp"

namespace sluice::test {
namespace {

class PatientProcesses : public Processes {
protected:
    // Makes one call of `kind` ("SYNC", "OPEN") for a path with `part` take `seconds` in one process. The first `after`
    // such calls stay fast.
    void make_slow(const std::string& kind, const std::string& part, int process, double seconds, int after = 0) {
        auto& environment = process_options().environment;
        environment["LD_PRELOAD"] = SLUICE_TEST_SLOW_FILES;
        environment["SLUICE_TEST_SLOW_" + kind] = part;
        environment["SLUICE_TEST_SLOW_PROCESS"] = std::to_string(process);
        environment["SLUICE_TEST_SLOW_SECONDS"] = std::to_string(seconds);
        environment["SLUICE_TEST_SLOW_AFTER"] = std::to_string(after);
        if (const char* const options = std::getenv("ASAN_OPTIONS")) {
            environment["ASAN_OPTIONS"] = options + std::string(":verify_asan_link_order=0");
        }
    }
};

TEST_F(PatientProcesses, wait_for_a_checkpoint_longer_than_for_a_step) {
    write_tiny();
    train("whole", sets({"strategy.micro_shards=2"}));
    make_slow("SYNC", "/checkpoints", 0, 5);
    const Finished finished = host(trained(2, "run", sets({"strategy.micro_shards=2", "strategy.deadline=1"})));
    expect_success(finished);
    expect_same_bits("run", "whole");
}

// The launcher still receives its heartbeat, and the other process cannot know that it does not wait for data.
TEST_F(PatientProcesses, exit_if_the_replica_of_one_hangs_and_prefetch_is_small) {
    write_tiny({{"use = \"adam\"\nrate", "use = \"test_stalling\"\nlast = 14\nprocess = 0\nrate"},
                {"count = 16, size = [32, 32]", "count = 400, size = [32, 32]"},
                {"epochs = 2", "epochs = 100000"},
                {"every = \"1 epoch\"", "every = \"1000 epochs\""}});
    const auto start = std::chrono::steady_clock::now();
    const Finished finished =
        host(trained(2, "run",
                     joined({"--plugin", SLUICE_TEST_STALLING_DIR},
                            sets({"strategy.deadline=1", "data.prefetch=1", "train.accumulate=4"}))));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
    EXPECT_EQ(finished.exit, 7) << finished.err;
    expect_contains(finished.err, {"replica 0 is stuck: it does not return from its part of a step, and did not "
                                   "join 'gradients 1 of 1'"});
    EXPECT_EQ(metadata_of(checkpoint()).at("step"), "14") << finished.err;
}

// Each process reads two photographs per step.
class ProcessesOfPhotos : public PatientProcesses {
protected:
    void write_photos() const {
        for (int i = 0; i < 8; ++i) {
            write("photos/" + std::to_string(i) + ".png", png_of(make_picture(48, 48, 3, i)));
        }
        write_tiny({{R"(source = { use = "dead_leaves", count = 16, size = [32, 32] })",
                     R"(source = { use = "photos", folder = "photos" })"},
                    {"map = [\n", "map = [\n  { use = \"decode\" },\n  { use = \"random_crop\", size = [32, 32] },\n"},
                    {"epochs = 2", "epochs = 40"},
                    {"every = \"1 epoch\"", "every = \"10 epochs\""}});
    }
};

TEST_F(ProcessesOfPhotos, wait_for_the_input_of_another_longer_than_for_a_step) {
    write_photos();
    train("whole", sets({"strategy.micro_shards=2"}));
    make_slow("OPEN", "photos/", 1, 5, 60);
    expect_success(host(trained(2, "run", sets({"strategy.micro_shards=2", "strategy.deadline=1"}))));
    expect_same_bits("run", "whole");
}

// Each photograph of the slow process takes longer than a whole step of the other.
TEST_F(ProcessesOfPhotos, name_the_one_whose_input_is_slow) {
    write_photos();
    process_options().environment["SLUICE_TEST_SLOW_ALWAYS"] = "1";
    for (const int slow : {0, 1}) {
        make_slow("OPEN", "photos/", slow, 0.04);
        const Finished finished =
            host(trained(2, "run" + std::to_string(slow),
                         sets({"data.workers=1", "evaluate.every=\"1000 epochs\"", "train.steps=12"})));
        expect_success(finished);
        expect_contains(finished.err, {"; the input of process " + std::to_string(slow) +
                                       " holds them up, and the others wait for it: "});
        const WaitShares shares = wait_shares(finished.err);
        EXPECT_GE(shares.data, 50) << finished.err;
        EXPECT_LE(shares.sum(), 100) << finished.err;
    }
}

TEST_F(ProcessesOfPhotos, that_are_killed_are_named_with_what_the_others_waited_for) {
    write_photos();
    make_slow("OPEN", "photos/", 1, -1, 60);
    const Finished finished =
        host(trained(2, "run", sets({"evaluate.every=\"1000 epochs\"", "checkpoint.every=\"1000 epochs\""})));
    EXPECT_EQ(finished.exit, 7);
    expect_contains(finished.err, {"process 1 on "});
    EXPECT_TRUE(finished.err.find("; the others waited for '") != std::string::npos ||
                finished.err.find(", waiting for '") != std::string::npos ||
                finished.err.find("; this was noticed in step ") != std::string::npos)
        << finished.err;
}

TEST_F(ProcessesOfPhotos, exit_if_the_input_of_one_never_comes) {
    write_photos();
    make_slow("OPEN", "photos/", 1, 60, 60);
    const Finished finished = host(trained(2, "run", sets({"strategy.deadline=1", "data.stall_seconds=1"})));
    EXPECT_EQ(finished.exit, 3) << finished.err;
    expect_contains(finished.err,
                    {"the input of rank 1 has not delivered batch ", "for 4 s", "a thread is at 'photos'"});
    EXPECT_GT(std::stoi(metadata_of(checkpoint()).at("step")), 4) << finished.err;
}

}  // namespace
}  // namespace sluice::test
