// One training on several replicas: one word selects the strategy, and the result is that of one device.
#include <cstdlib>
#include <filesystem>

#include "replicas/replica_test.hpp"

namespace sluice::test {
namespace {

class Replicas : public ReplicaTest {};

TEST_F(Replicas, learn_as_one_does) {
    write_tiny(whole_batch({{"count = 4, size = [24, 32]", "count = 7, size = [24, 32]"}}));
    train("one", sets(kClipped));
    for (const int replicas : {1, 2, 3, 4}) {
        const std::string run = "mirrored" + std::to_string(replicas);
        train(run, mirrored(replicas, kClipped));
        expect_near(run, "one", 1e-4);
    }
}

// Of 18 samples in batches of 4, the last batch has 2. With 4 replicas, two of them have no sample.
TEST_F(Replicas, share_a_short_batch) {
    write_tiny(whole_batch({{"count = 16", "count = 18"}, {"[train]\n", "[train]\naccumulate = 2\n"}}));
    const std::vector<std::string> averaged = joined({"train.ema=0.9"}, kClipped);
    train("one", sets(averaged));
    for (const int replicas : {2, 4}) {
        const std::string run = "mirrored" + std::to_string(replicas);
        train(run, mirrored(replicas, averaged));
        expect_near(run, "one", 1e-4);
    }
}

// Some replicas have no sample of the last batch.
TEST_F(Replicas, normalise_the_batch_of_all_if_they_are_synchronized) {
    write_tiny(synchronized({{"count = 16", "count = 18"}, {"[train]\n", "[train]\naccumulate = 2\n"}}));
    for (const std::string kernels : {"onednn", "reference"}) {
        const std::vector<std::string> chosen =
            joined({"device.kernels=[\"" + kernels + "\",\"reference\"]", "strategy.bucket=256 B"}, kClipped);
        train(kernels, sets(chosen));
        for (const int replicas : {2, 3}) {
            const std::string run = kernels + std::to_string(replicas);
            train(run, mirrored(replicas, chosen));
            expect_near(run, kernels, 1e-4);
        }
    }
    const Finished cut = host(joined({"train", "tiny.toml"}, sets({"strategy.micro_shards=4"})));
    expect_refused(cut, 2, {"layer 'batch_norm' needs the statistics of a whole batch", "strategy.micro_shards = 4"});
}

// The batch norm is between convolutions that a GPU computes in one chain with it, in captured steps.
TEST_F(Replicas, synchronize_on_gpus_as_on_one_cpu) {
    if (std::getenv("SLUICE_TEST_DEVICE") == nullptr) {
        GTEST_SKIP() << "SLUICE_TEST_DEVICE names no device";
    }
    write_tiny(synchronized(
        {{"count = 16", "count = 18"}, {"filters = 6", "filters = 8"}, {"[train]\n", "[train]\naccumulate = 2\n"}}));
    train("cpu", sets(joined({"device.use=cpu", "device.kernels=reference"}, kClipped)));
    for (const auto& [precision, tolerance] : {std::pair{"float32", 1e-4}, std::pair{"mixed_bfloat16", 0.03}}) {
        for (const int replicas : {1, 2, 3}) {
            const std::string run = precision + std::to_string(replicas);
            train(run, mirrored(replicas, joined({std::string("precision.use=") + precision, "strategy.bucket=256 B"},
                                                 kClipped)));
            expect_near(run, "cpu", tolerance);
            EXPECT_EQ(read_bytes(folder() / run / "log.txt").find("not captured"), std::string::npos) << run;
        }
    }
}

// The replicas get 2 samples and 1 sample. By their own costs, they would choose different layers for recompute.
TEST_F(Replicas, compute_layers_again_that_do_not_sum_over_all) {
    const bool is_on_cpu = std::getenv("SLUICE_TEST_DEVICE") == nullptr;
    write_tiny({{"batch = 4", "batch = 3"},
                {"size = [32, 32]", is_on_cpu ? "size = [4, 8]" : "size = [16, 16]"},
                {"filters = 6", "filters = 64"},
                {R"(  { type = "batch_norm" },
  { type = "relu" },
  { type = "dropout", rate = 0.1 },
)",
                 R"(  { type = "batch_norm", synchronized = true },
  { type = "relu" },
  { type = "max_pool", kernel = 2 },
  { type = "batch_norm", synchronized = true },
  { type = "conv2d", filters = 8, kernel = 1 },
  { type = "batch_norm", synchronized = true },
  { type = "tanh" },
  { type = "upsample", factor = 2 },
  { type = "batch_norm", synchronized = true },
)"},
                kEveryStep});
    const std::vector<std::string> again = joined({"train.recompute=selective", "device.measure=false"}, kClipped);
    train("one", sets(again));
    train("two", mirrored(2, again));
    expect_near("two", "one", 1e-4);
}

TEST_F(Replicas, exchange_gradients_in_buckets_of_any_size) {
    write_tiny(whole_batch());
    train("whole", mirrored(2));
    train("buckets", mirrored(2, {"strategy.bucket=256 B"}));
    expect_same_bits("buckets", "whole");
}

// The bucket size is measured once, and a resumed run keeps the result. The bits do not depend on it.
TEST_F(Replicas, find_out_which_buckets_are_fast) {
    if (std::getenv("SLUICE_TEST_DEVICE") != nullptr) {
        GTEST_SKIP() << "the test runs only on a CPU";
    }
    write_tiny(two_buckets());
    const std::string found = "of gradients are sent together from now on: a step takes ";
    EXPECT_EQ(count_of(train("whole", mirrored(2, {"strategy.bucket=4 MiB"})).err, found), 0U);
    EXPECT_EQ(count_of(train("one", sets({"strategy.use=single"})).err, found), 0U);
    EXPECT_EQ(count_of(train("unmeasured", mirrored(2, {"device.measure=false"})).err, found), 0U);
    const std::string output = train("auto", mirrored(2)).err;
    EXPECT_EQ(count_of(output, found), 1U) << output;
    expect_contains(output, {" ms with 4.0 MiB, ", " ms with 1.0 MiB\n"});
    EXPECT_EQ(count_of(metadata_of(checkpoint("auto")).at("choices"), "strategy\tbucket of "), 1U);
    expect_same_bits("auto", "whole");

    train("stopped", joined<std::string>({"--steps", "12"}, mirrored(2)));
    const Finished resumed = host({"resume", "stopped", "--set", "train.steps=16"});
    expect_success(resumed);
    EXPECT_EQ(count_of(resumed.err, found), 0U) << resumed.err;
    expect_same_bits("stopped", "whole");
}

// The same micro-shards are added in the same order, also with batch norm, dropout, short batches and accumulated
// batches.
TEST_F(Replicas, of_any_number_have_the_same_bits_of_the_same_micro_shards) {
    write_tiny({{"count = 16", "count = 18"},
                {"count = 4, size = [24, 32]", "count = 7, size = [24, 32]"},
                {"[train]\n", "[train]\naccumulate = 2\nema = 0.9\n"},
                kEveryStep});
    train("one", sets({"strategy.micro_shards=4", "optimizer.clip_norm=0.1"}));
    for (const int replicas : {1, 2, 4}) {
        const std::string run = "mirrored" + std::to_string(replicas);
        train(run, mirrored(replicas, {"strategy.micro_shards=4", "optimizer.clip_norm=0.1"}));
        expect_same_bits(run, "one");
        expect_near(run, "one", 0.0);
    }
}

TEST_F(Replicas, resume_with_another_number_of_them) {
    write_tiny({kEveryStep});
    const std::vector<std::string> cut = {"strategy.micro_shards=4"};
    train("whole", sets(cut));
    for (const std::vector<std::string>& other : {mirrored(4), sets({"strategy.use=single"})}) {
        const std::string run = "stopped" + std::to_string(other.size());
        train(run, joined({"--steps", "3"}, mirrored(2, cut)));
        expect_success(host(joined({"resume", run, "--set", "train.steps=8"}, other)));
        expect_same_bits(run, "whole");
    }
}

TEST_F(Replicas, are_refused_if_they_cannot_share_a_batch) {
    write_tiny();
    const auto refused = [&](const std::vector<std::string>& values, const std::vector<std::string>& parts) {
        expect_refused(host(joined({"train", "tiny.toml"}, sets(values))), 2, parts);
    };
    refused({"strategy.use=mirrored", "strategy.replicas=5"},
            {"a batch of 4 samples cannot be shared by 5 replicas", "data.batch = 5 or more"});
    refused({"strategy.use=mirrored", "strategy.replicas=2", "strategy.micro_shards=3"},
            {"strategy.micro_shards = 3 cannot be divided evenly among 2 replicas", "a multiple of 2"});
    refused({"data.batch=8", "strategy.micro_shards=6"}, {"gives 6 to each of 1 replica", "power of two"});
    refused({"strategy.use=mirrored", "device.pin=true"}, {"device.pin would put all 2 replicas on the same cores"});
    refused({"strategy.micro_shards=8"}, {"cannot be shared by 8 micro-shards"});
    refused({"strategy.use=mirrored", "strategy.replica=2"}, {"unknown", "replica"});
}

TEST_F(Replicas, of_another_number_have_the_same_bits_or_a_warning) {
    write_tiny();
    const std::vector<std::string> cut = {"strategy.micro_shards=2", "strategy.wire=bfloat16"};
    for (const char* const command : {"train", "plan"}) {
        expect_refused(
            host(joined({command, "tiny.toml"}, mirrored(2, cut))), 2,
            {"strategy.wire=bfloat16", "results depend on the number of processes", "deterministic = false"});
    }
    train("free", mirrored(2, joined(cut, std::vector<std::string>{"deterministic=false"})));
    const std::string warning = "deterministic = true gives the same bits again with 2 replicas";
    EXPECT_EQ(count_of(train("asked", mirrored(2, {"deterministic=true"})).err, warning), 1U);
    EXPECT_EQ(count_of(train("default", mirrored(2)).err, warning), 0U);
    EXPECT_EQ(count_of(train("cut", mirrored(2, {"deterministic=true", "strategy.micro_shards=2"})).err, warning), 0U);
    EXPECT_EQ(count_of(train("one", sets({"deterministic=true"})).err, warning), 0U);
}

TEST_F(Replicas, tell_what_they_win) {
    write_tiny({{"epochs = 2", "epochs = 4"}});
    const std::string one = train("one").err;
    const std::string two = train("two", mirrored(2)).err;
    EXPECT_EQ(count_of(one, "times as fast as one of them"), 0U);
    EXPECT_EQ(count_of(two, "I replicas 2: "), 1U) << two;
    EXPECT_EQ(count_of(two, "times as fast as one of them"), 1U) << two;
    const bool is_on_gpu = std::getenv("SLUICE_TEST_DEVICE") != nullptr;
    expect_contains(two, {is_on_gpu ? "exchange and update" : "for the exchange after backward"});
    if (!is_on_gpu) {
        EXPECT_LE(wait_shares(two).sum(), 100) << two;
    }
}

TEST_F(Replicas, are_planned_by_their_part_of_a_batch) {
    write_tiny();
    const std::string whole = expect_output({"plan", "tiny.toml"}, {"conv2d"});
    EXPECT_EQ(whole.find("replicas "), std::string::npos);
    expect_output(joined({"plan", "tiny.toml"}, mirrored(4)),
                  {"replicas    4; the lines below are for one of them, on 1 of 4 samples"});
    expect_refused(host(joined({"plan", "tiny.toml"}, mirrored(5))), 2, {"cannot be shared by 5 replicas"});
}

// The devices do not exist on this machine; 5 of them share 8 samples.
TEST_F(Replicas, are_planned_on_any_number_of_devices) {
    write_tiny();
    const std::vector<std::string> asked{"plan", "tiny.toml", "--set", "data.batch=8", "--replicas", "5"};
    expect_output(asked, {"replicas    5; the lines below are for one of them, on 2 of 8 samples",
                          "each of 5 replicas, one per device, sends ", "gradients              2 passes",
                          "1 Gbit/s Ethernet, latency 50 us: ", "NVLink"});
    const std::string output = expect_output(
        joined<std::string>(
            asked, {"--bandwidth", "25GB/s", "--device-memory", "80GB", "--set", "strategy.shard_optimizer=true"}),
        {"fits into 74.5 GiB", "gradients              1 pass", "parameters             1 pass",
         "25.0 GB/s, latency 10 us: "});
    EXPECT_EQ(output.find("Ethernet"), std::string::npos) << output;
    expect_output(joined<std::string>(asked, {"--latency", "0"}), {"1 Gbit/s Ethernet, latency 0 us: "});
    expect_output(joined<std::string>(asked, {"--device-memory", "2 kB"}),
                  {"too much: ", "2.0 KiB are free", "strategy.shard_optimizer = true, which saves "});
}

TEST_F(Replicas, are_planned_without_the_sums_within_layers) {
    write_tiny({{"{ type = \"batch_norm\" }", "{ type = \"batch_norm\", synchronized = true, name = \"norm\" }"}});
    expect_output({"plan", "tiny.toml", "--replicas", "2"}, {"without the sums within 'norm'"});
}

TEST_F(Replicas, on_other_devices_are_asked_about_in_words_that_are_known) {
    write_tiny();
    const auto refused = [&](const std::vector<std::string>& words, const std::vector<std::string>& parts) {
        expect_refused(host(joined({"plan", "tiny.toml"}, words)), 2, parts);
    };
    for (const char* const wrong : {"0", "-3", "9x", "1048577"}) {
        refused({"--replicas", wrong}, {"--replicas is '", wrong, "a number of devices from 1 to 1048576 is needed"});
    }
    refused({"--replicas", "64"}, {"a batch of 4 samples cannot be shared by 64 replicas"});
    refused({"--replicas", "2", "--mode", "evaluate"}, {"--replicas: only training is shared by replicas"});
    refused({"--bandwidth", "3GB/s"}, {"--bandwidth applies between the devices of --replicas"});
    refused({"--replicas", "2", "--bandwidth", "3 GB"}, {"--bandwidth is '3 GB'; a rate like 25GB/s"});
    refused({"--replicas", "2", "--bandwidth", "0"}, {"--bandwidth is '0'; a rate like 25GB/s"});
    refused({"--replicas", "2", "--latency", "3 sec"}, {"--latency is '3 sec'; a time like 10us"});
    refused({"--device-memory", "80"}, {"--device-memory is '80'; a size like 80GB"});
}

// The other replicas notice the stall, save what was trained, and exit.
TEST_F(Replicas, that_stall_are_named_and_given_up) {
    write_tiny({{"use = \"adam\"\nrate", "use = \"test_stalling\"\nlast = 11\nrate"}, kEveryStep});
    const std::vector<std::string> plugin{"--plugin", SLUICE_TEST_STALLING_DIR};
    const std::vector<std::string> cut = {"strategy.deadline=1", "strategy.micro_shards=2"};
    expect_refused(host(joined(joined({"train", "tiny.toml", "--run-folder", "run"}, plugin), mirrored(2, cut))), 7,
                   {"replica", "is stuck", "the last checkpoint is run/checkpoints/last.safetensors"});
    EXPECT_EQ(metadata_of(checkpoint("run")).at("step"), "6");  // which one of the two replicas has done
    const std::vector<std::string> resume_settings = {"strategy.use=single", "optimizer.last=1000"};
    expect_success(host(joined(joined({"resume", "run"}, plugin), sets(resume_settings))));
    expect_success(host(joined(joined({"train", "tiny.toml", "--run-folder", "whole"}, plugin),
                               sets({"optimizer.last=1000", "strategy.micro_shards=2"}))));
    expect_same_bits("run", "whole");
}

// Of 14 samples in batches of 4, two batches per step, the last batch of each epoch has shapes of its own.
TEST_F(Replicas, wait_long_if_a_batch_of_a_step_has_new_shapes) {
    write_tiny({{"count = 16", "count = 14"}, {"[train]\n", "[train]\naccumulate = 2\n"}});
    train("run", joined({"--plugin", SLUICE_TEST_PRETENDED_DIR},
                        sets({"strategy.use=test_pretended", "strategy.deadline=60", "data.prefetch=8"})));
    EXPECT_EQ(read_bytes(folder() / "patience.txt"), "300\n300\n60\n60\n");
}

// The GPUs hang while captured steps run. Each step exchanges its gradients and its losses, and the third step does not
// finish.
TEST_F(Replicas, on_gpus_that_hang_are_given_up) {
    if (std::getenv("SLUICE_TEST_DEVICE") == nullptr || std::getenv("SLUICE_EMULATED_CUDA_LOST") == nullptr) {
        GTEST_SKIP() << "SLUICE_EMULATED_CUDA_LOST makes no emulated GPU hang";
    }
    write_tiny(whole_batch());
    expect_refused(host(joined({"train", "tiny.toml", "--run-folder", "run"}, mirrored(2, {"strategy.deadline=1"}))), 7,
                   {"'losses' (2 elements) did not finish within 1 s after all replicas started it"});
    EXPECT_EQ(read_bytes(folder() / "run/log.txt").find("not captured"), std::string::npos);
}

// The replica that had the sample names the layer.
TEST_F(Replicas, name_the_layer_that_one_of_them_finds_not_finite) {
    write_tiny({{"rate = 1e-3", "rate = 1e38"}});
    for (const auto& strategy : {mirrored(1), mirrored(4)}) {
        expect_refused(host(joined({"train", "tiny.toml", "--run-folder", "run"}, strategy)), 5,
                       {"the first output that is not finite is that of layer '", "conv2d"});
        std::filesystem::remove_all(folder() / "run");
    }
}

}  // namespace
}  // namespace sluice::test
