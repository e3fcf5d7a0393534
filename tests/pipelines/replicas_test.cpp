// One training on several replicas: strategies are swapped by one word, and the result is that of one device.
#include <chrono>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Replicas : public PipelineTest {
protected:
    // --set of each.
    static std::vector<std::string> sets(const std::vector<std::string>& values) {
        std::vector<std::string> words;
        for (const std::string& value : values) {
            words.insert(words.end(), {"--set", value});
        }
        return words;
    }

    static std::vector<std::string> mirrored(int replicas, const std::vector<std::string>& more = {}) {
        return sets(joined({"strategy.use=mirrored", "strategy.replicas=" + std::to_string(replicas)}, more));
    }

    void expect_same_bits(const std::string& run, const std::string& other) {
        EXPECT_TRUE(tensor_bytes_of(checkpoint(run)) == tensor_bytes_of(checkpoint(other))) << run << ", " << other;
    }

    void expect_losses_near(const std::string& run, const std::string& other, double tolerance) {
        const auto found = steps(run);
        const auto right = steps(other);
        ASSERT_EQ(found.size(), right.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_NEAR(found[i].at("loss"), right[i].at("loss"), tolerance) << run << ", step " << i + 1;
            EXPECT_EQ(found[i].at("samples"), right[i].at("samples"));
        }
    }
};

// Batch norm sees another part of a batch on each replica, and dropout draws for each part by itself.
const Replacements kWholeBatch{{"  { type = \"batch_norm\" },\n", ""}, {"  { type = \"dropout\", rate = 0.1 },\n", ""}};

Replacements whole_batch(const Replacements& more = {}) {
    Replacements all = kWholeBatch;
    all.push_back(kEveryStep);
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

TEST_F(Replicas, learn_as_one_does) {
    write_tiny(whole_batch());
    train("one");
    for (const int replicas : {1, 2, 3, 4}) {
        const std::string run = "mirrored" + std::to_string(replicas);
        train(run, mirrored(replicas));
        expect_losses_near(run, "one", 1e-5);
        EXPECT_NEAR(scores(checkpoint(run)).at("psnr"), scores(checkpoint("one")).at("psnr"), 1e-3);
    }
}

// 18 samples in batches of 4: the last has 2 of them, and with 4 replicas two have none.
TEST_F(Replicas, share_a_short_batch) {
    write_tiny(whole_batch({{"count = 16", "count = 18"}, {"[train]\n", "[train]\naccumulate = 2\n"}}));
    train("one", sets({"optimizer.clip_norm=0.1", "train.ema=0.9"}));
    for (const int replicas : {2, 4}) {
        const std::string run = "mirrored" + std::to_string(replicas);
        train(run, mirrored(replicas, {"optimizer.clip_norm=0.1", "train.ema=0.9"}));
        expect_losses_near(run, "one", 1e-5);
    }
}

TEST_F(Replicas, exchange_gradients_in_buckets_of_any_size) {
    write_tiny(whole_batch());
    train("whole", mirrored(2));
    train("buckets", mirrored(2, {"strategy.bucket=256 B"}));
    expect_same_bits("buckets", "whole");
}

// The same micro-shards, added in the same order: batch norm, dropout, short batches and parts of steps included.
TEST_F(Replicas, of_any_number_have_the_same_bits_of_the_same_micro_shards) {
    write_tiny({{"count = 16", "count = 18"}, {"[train]\n", "[train]\naccumulate = 2\nema = 0.9\n"}, kEveryStep});
    train("one", sets({"strategy.micro_shards=4", "optimizer.clip_norm=0.1"}));
    for (const int replicas : {1, 2, 4}) {
        const std::string run = "mirrored" + std::to_string(replicas);
        train(run, mirrored(replicas, {"strategy.micro_shards=4", "optimizer.clip_norm=0.1"}));
        expect_same_bits(run, "one");
        expect_losses_near(run, "one", 0.0);
    }
}

TEST_F(Replicas, resume_with_another_number_of_them) {
    write_tiny({kEveryStep});
    const std::vector<std::string> cut = {"strategy.micro_shards=4"};
    train("whole", sets(cut));
    train("stopped", joined({"--steps", "3"}, mirrored(2, cut)));
    expect_success(host(joined({"resume", "stopped"}, mirrored(4, {"train.steps=8"}))));
    expect_same_bits("stopped", "whole");
}

TEST_F(Replicas, are_refused_where_they_cannot_share_a_batch) {
    write_tiny();
    const auto refused = [&](const std::vector<std::string>& values, const std::vector<std::string>& parts) {
        expect_refused(host(joined({"train", "tiny.toml"}, sets(values))), 2, parts);
    };
    refused({"strategy.use=mirrored", "strategy.replicas=5"},
            {"a batch of 4 samples cannot be shared by 5 replicas", "data.batch = 5 or more"});
    refused({"strategy.use=mirrored", "strategy.replicas=2", "strategy.micro_shards=3"},
            {"strategy.micro_shards = 3 cannot be dealt to 2 replicas", "a multiple of 2"});
    refused({"strategy.micro_shards=8"}, {"cannot be shared by 8 micro-shards"});
    refused({"strategy.use=mirrored", "strategy.replica=2"}, {"unknown", "replica"});
}

// What one of them finds ends all of them, as it would end the only one.
TEST_F(Replicas, end_together) {
    write_tiny({{"rate = 1e-3", "rate = 1e30"}});
    expect_refused(host(joined({"train", "tiny.toml", "--run-folder", "run"}, mirrored(2))), 5, {"loss of step"});
}

// The others notice, save what was trained, and leave.
TEST_F(Replicas, that_stall_are_named_and_given_up) {
    write_tiny({{"use = \"adam\"\nrate", "use = \"test_stalling\"\nlast = 11\nrate"}, kEveryStep});
    const std::vector<std::string> plugin{"--plugin", SLUICE_TEST_STALLING_DIR};
    const auto start = std::chrono::steady_clock::now();
    expect_refused(host(joined(joined({"train", "tiny.toml", "--run-folder", "run"}, plugin),
                               mirrored(2, {"strategy.deadline=1"}))),
                   7, {"replica", "is stuck", "the last checkpoint is run/checkpoints/last.safetensors"});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    // One of the replicas has done its 6th update.
    EXPECT_EQ(metadata_of(checkpoint("run")).at("step"), "6");
    const std::vector<std::string> goes_on = {"strategy.use=single", "optimizer.last=1000"};
    expect_success(host(joined(joined({"resume", "run"}, plugin), sets(goes_on))));
    write_tiny({{"use = \"adam\"\nrate", "use = \"test_stalling\"\nlast = 1000\nrate"}, kEveryStep});
    expect_success(host(joined({"train", "tiny.toml", "--run-folder", "whole"}, plugin)));
    EXPECT_NEAR(steps("run").back().at("loss"), steps("whole").back().at("loss"), 1e-2);
}

}  // namespace
}  // namespace sluice::test
