// Exchange and memory of replicas: gradients are sent in 16 bits, and each replica keeps a slice of the optimizer
// states.
#include <cstdlib>
#include <filesystem>

#include "replicas/replica_test.hpp"

namespace sluice::test {
namespace {

class Sharded : public ReplicaTest {
protected:
    // Trains tiny.toml in two processes of one replica each.
    void launch(const std::string& run, const std::vector<std::string>& values) {
        const std::vector<std::string> command{"launch", "-n", "2", "tiny.toml", "--run-folder", run};
        expect_success(host(joined(command, launched(values))));
    }

    // True if the host was built with MPI.
    [[nodiscard]] static bool knows_processes() {
        return std::filesystem::exists(std::filesystem::path(SLUICE_TEST_HOST).parent_path() /
                                       "plugins/sluice_multi_worker.so");
    }

    static std::vector<std::string> launched(const std::vector<std::string>& values) {
        return sets(joined({"strategy.use=multi_worker"}, values));
    }

    static std::vector<std::string> sharded(const std::vector<std::string>& values = {}) {
        return joined({"strategy.shard_optimizer=true", "strategy.bucket=256 B"}, values);
    }

    // Writes a training that has batch norm, dropout, short batches, accumulated batches and averaged weights.
    void write_whole_variety() {
        write_tiny({{"count = 16", "count = 18"}, {"[train]\n", "[train]\naccumulate = 2\nema = 0.9\n"}, kEveryStep});
    }
};

// The layer is large, because short gradients are sent as float32.
TEST_F(Sharded, gradients_travel_in_16_bits) {
    if (!knows_processes()) {
        GTEST_SKIP() << "the host was built without MPI";
    }
    write_tiny(whole_batch({{"filters = 6", "filters = 384"}}));
    launch("float32", kClipped);
    launch("bfloat16", joined({"strategy.wire=bfloat16"}, kClipped));
    expect_near("bfloat16", "float32", 1e-2);
    EXPECT_FALSE(tensor_bytes_of(checkpoint("bfloat16")) == tensor_bytes_of(checkpoint("float32")));
}

// The wire type counts also within a process, and if each replica gets only the sums of its slices.
TEST_F(Sharded, gradients_travel_between_gpus_in_16_bits) {
    if (std::getenv("SLUICE_TEST_DEVICE") == nullptr) {
        GTEST_SKIP() << "the test runs only on a GPU";
    }
    write_tiny(whole_batch({{"filters = 6", "filters = 192"}, {"size = [32, 32]", "size = [8, 8]"}}));
    train("float32", mirrored(2, kClipped));
    const std::vector<std::string> narrow = joined({"strategy.wire=bfloat16"}, kClipped);
    train("whole", mirrored(2, narrow));
    train("slices", mirrored(2, joined({"strategy.shard_optimizer=true"}, narrow)));
    for (const std::string run : {"whole", "slices"}) {
        expect_near(run, "float32", 1e-2);
        EXPECT_FALSE(tensor_bytes_of(checkpoint(run)) == tensor_bytes_of(checkpoint("float32"))) << run;
        EXPECT_EQ(read_bytes(folder() / run / "log.txt").find("not captured"), std::string::npos);
    }
}

TEST_F(Sharded, gradients_are_unchanged_if_nothing_is_sent) {
    write_tiny(whole_batch());
    train("float32", mirrored(2));
    train("bfloat16", mirrored(2, {"strategy.wire=bfloat16"}));
    expect_same_bits("bfloat16", "float32");
}

TEST_F(Sharded, the_type_on_the_way_is_one_of_two) {
    write_tiny();
    expect_refused(host({"train", "tiny.toml", "--set", "strategy.wire=float16"}), 2,
                   {"strategy.wire is \"float16\"", "bfloat16"});
    expect_output({"plan", "tiny.toml", "--explain", "--set", "strategy.wire=bfloat16"}, {"wire = \"bfloat16\""});
}

// The epoch has 18 samples in batches of 4, two batches per step.
Replacements short_batches() {
    return whole_batch({{"count = 16", "count = 18"}, {"[train]\n", "[train]\naccumulate = 2\nema = 0.9\n"}});
}

const std::vector<std::string> kMomentum = {"optimizer.use=sgd", "optimizer.momentum=0.9", "optimizer.rate=1e-2"};

TEST_F(Sharded, optimizers_learn_as_whole_ones_do) {
    write_tiny(short_batches());
    for (const auto& [name, values] : {std::pair{"adam", kClipped}, {"sgd", kMomentum}}) {
        train(name, sets(values));
        for (const int replicas : {1, 2, 3, 4}) {
            const std::string run = name + std::to_string(replicas);
            train(run, mirrored(replicas, sharded(values)));
            expect_near(run, name, 1e-4);
        }
    }
}

TEST_F(Sharded, processes_learn_as_one_does) {
    if (!knows_processes()) {
        GTEST_SKIP() << "the host was built without MPI";
    }
    write_tiny(short_batches());
    for (const auto& [name, values] : {std::pair{"adam", kClipped}, {"sgd", kMomentum}}) {
        train(name, sets(values));
        launch("processes", sharded(values));
        expect_near("processes", name, 1e-4);
        std::filesystem::remove_all(folder() / "processes");
    }
}

TEST_F(Sharded, optimizers_give_the_same_bits_of_the_same_micro_shards) {
    write_whole_variety();
    for (const std::string clip : {"0.0", "0.1"}) {
        const std::vector<std::string> cut = {"strategy.micro_shards=4", "optimizer.clip_norm=" + clip};
        train("one" + clip, sets(cut));
        for (const int replicas : {1, 2, 4}) {
            const std::string run = "mirrored" + std::to_string(replicas) + "_" + clip;
            train(run, mirrored(replicas, sharded(cut)));
            expect_same_bits(run, "one" + clip);
            expect_near(run, "one" + clip, 0.0);
        }
        if (knows_processes()) {
            launch("processes" + clip, sharded(cut));
            expect_same_bits("processes" + clip, "one" + clip);
        }
    }
}

TEST_F(Sharded, checkpoints_open_wherever_a_run_goes_on) {
    write_tiny({{"[train]\n", "[train]\nema = 0.9\n"}, kEveryStep});
    const std::vector<std::string> cut = {"strategy.micro_shards=4"};
    const std::vector<std::string> whole = {"strategy.micro_shards=4", "strategy.shard_optimizer=false"};
    train("whole", sets(cut));
    const auto go_on = [&](const std::string& run, const std::vector<std::string>& other) {
        expect_success(host(joined({"resume", run, "--set", "train.steps=8"}, other)));
        expect_same_bits(run, "whole");
    };
    train("two", joined({"--steps", "3"}, mirrored(2, sharded(cut))));
    std::filesystem::copy(folder() / "two", folder() / "two_as_four", std::filesystem::copy_options::recursive);
    go_on("two", sets(joined({"strategy.use=single"}, whole)));
    go_on("two_as_four", mirrored(4));
    train("one", joined({"--steps", "3"}, sets(cut)));
    go_on("one", mirrored(2, sharded()));
    if (knows_processes()) {
        launch("processes", joined({"train.steps=3"}, sharded(cut)));
        go_on("processes", mirrored(4));
    }
}

// The scale is far too large at first. All replicas together compute the norm that shows this.
TEST_F(Sharded, steps_are_skipped_by_all_replicas) {
    write_tiny(whole_batch());
    const std::vector<std::string> scaled = {
        "precision={ use = \"mixed_float16\", ceiling = 1e30, scale = 17179869184.0 }"};
    train("one", sets(scaled));
    const double skipped = steps("one").back().at("skipped_steps");
    ASSERT_GT(skipped, 0.0);
    ASSERT_LT(skipped, 8.0);
    for (const int replicas : {2, 4}) {
        const std::string run = "mirrored" + std::to_string(replicas);
        train(run, mirrored(replicas, sharded(scaled)));
        EXPECT_EQ(steps(run).back().at("skipped_steps"), skipped);
        EXPECT_NEAR(steps(run).back().at("loss"), steps("one").back().at("loss"), 1e-3);
    }
}

TEST_F(Sharded, skipped_steps_change_nothing) {
    write_tiny(whole_batch({{"[train]\n", "[train]\nema = 0.9\n"}}));
    const std::vector<std::string> hopeless =
        sharded({"precision={ use = \"mixed_float16\", loss_scale = \"static\", scale = 1e14, most_skips = 4 }"});
    train("start", joined({"--steps", "0"}, mirrored(2, hopeless)));
    const std::vector<std::string> command{"train", "tiny.toml", "--run-folder", "skipped"};
    expect_refused(host(joined(command, mirrored(2, hopeless))), 5,
                   {"the last 4 steps were skipped", "gradient of layer 'conv2d_2'", "before_skips.safetensors"});
    EXPECT_EQ(tensors_of(checkpoint("skipped", "before_skips")), tensors_of(checkpoint("start")));
}

TEST_F(Sharded, optimizers_take_their_part_of_the_memory) {
    write_tiny({{"filters = 6", "filters = 1024"}});
    const auto planned = [&](const std::vector<std::string>& values) {
        const std::string output = expect_output(joined({"plan", "tiny.toml"}, values));
        const std::string what = "optimizer states ";
        const std::size_t at = output.find(what) + what.size();
        return output.substr(at, output.find(',', at) - at);
    };
    EXPECT_EQ(planned(mirrored(4)), "456.1 KiB");
    EXPECT_EQ(planned(mirrored(4, {"strategy.shard_optimizer=true"})), "114.5 KiB");
}

// A save needs all processes, and so does the next try after a failure. Here a folder has the name of the checkpoint.
TEST_F(Sharded, saves_that_fail_are_tried_again_by_all_processes) {
    if (!knows_processes()) {
        GTEST_SKIP() << "the host was built without MPI";
    }
    write_tiny({kEveryStep});
    const std::vector<std::string> cut = {"strategy.micro_shards=2"};
    launch("run", joined({"train.steps=2"}, sharded(cut)));
    std::filesystem::create_directory(checkpoint("run", "step-00000003"));
    const std::vector<std::string> resume{"launch", "-n", "2", "resume", "run"};
    const Finished finished = host(joined(resume, launched({"train.steps=8", "checkpoint.every=1 step"})));
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, "step 3 could not be saved"), 1U) << finished.err;
    EXPECT_EQ(count_of(finished.err, "step 4 is saved again"), 1U) << finished.err;
    train("whole", sets(cut));
    expect_same_bits("run", "whole");
}

// The lost replica's slice of the optimizer states is lost as well.
TEST_F(Sharded, runs_that_lose_a_replica_name_the_last_checkpoint) {
    write_tiny({{"use = \"adam\"\nrate", "use = \"test_stalling\"\nlast = 11\nrate"}, kEveryStep});
    const std::vector<std::string> command{"train", "tiny.toml", "--run-folder",
                                           "run",   "--plugin",  SLUICE_TEST_STALLING_DIR};
    expect_refused(host(joined(command, mirrored(2, {"strategy.deadline=1", "strategy.shard_optimizer=true"}))), 7,
                   {"did not join 'parameters 1 of 1'", "the last checkpoint is run/checkpoints/last.safetensors"});
    EXPECT_EQ(metadata_of(checkpoint("run")).at("step"), "4");
}

}  // namespace
}  // namespace sluice::test
