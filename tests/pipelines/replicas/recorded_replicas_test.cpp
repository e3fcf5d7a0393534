// Replicas on emulated GPUs: either all of them capture their steps or none, as NCCL asks. While the GPUs wait for each
// other, no replica allocates memory, because CUDA may make an allocation wait for them.
#include <cstdlib>

#include "pictures.hpp"
#include "replicas/replica_test.hpp"

namespace sluice::test {
namespace {

const std::vector<std::string> kSmallBuckets = joined({"strategy.bucket=256 B"}, kClipped);
const std::vector<std::string> kFewSteps = {"--steps", "4"};
const std::vector<std::string> kSlices = joined({"strategy.shard_optimizer=true"}, kSmallBuckets);

class RecordedReplicas : public ReplicaTest {
protected:
    void SetUp() override {
        const char* const device = std::getenv("SLUICE_TEST_DEVICE");
        if (device == nullptr || std::string(device) != "emulated_cuda") {
            GTEST_SKIP() << "SLUICE_TEST_DEVICE is not emulated_cuda";
        }
    }

    // Sets SLUICE_EMULATED_CUDA_<figure>; code in tests/emulated_cuda/runtime and tests/emulated_cuda/nccl reads it.
    void pretend(const std::string& figure, int value) {
        process_options().environment["SLUICE_EMULATED_CUDA_" + figure] = std::to_string(value);
    }
    [[nodiscard]] std::size_t count_in_log(const std::string& run, const std::string& text) const {
        return count_of(read_bytes(folder() / run / "log.txt"), text);
    }
    void expect_recorded(const std::string& run) const { EXPECT_EQ(count_in_log(run, "not captured"), 0U) << run; }
};

// The first replica evaluates, which needs more memory than training. Nothing is aborted when it finishes.
TEST_F(RecordedReplicas, continue_after_a_validation_of_larger_pictures) {
    pretend("ABORTS", 0);
    pretend("PRIORITIES", 1);
    pretend("CONNECTS", 1);
    write_tiny(whole_batch(kValidationOnPhotos));
    write("photos/0.png", png_of(make_picture(24, 32)));
    write("photos/1.png", png_of(make_picture(120, 160)));
    for (const auto& [name, values] : {std::pair{"whole", kSmallBuckets}, {"slices", kSlices}}) {
        const std::string plain = std::string(name) + "_plain";
        train(plain, mirrored(2, joined({"device.record=false"}, values)));
        train(name, mirrored(2, joined({"strategy.deadline=2"}, values)));
        expect_recorded(name);
        expect_same_bits(name, plain);
    }
}

// The capture fails after the exchange of some buckets has begun.
TEST_F(RecordedReplicas, lose_no_gradient_if_a_capture_fails) {
    write_tiny(whole_batch());
    for (const auto& [name, values] : {std::pair{"whole", kSmallBuckets}, {"slices", kSlices}}) {
        const std::string plain = std::string(name) + "_plain";
        train(plain, joined(kFewSteps, mirrored(2, joined({"device.record=false"}, values))));
        for (const int most : {8, 28, 32}) {
            pretend("RECORDS", most);
            const std::string run = name + std::to_string(most);
            train(run, joined(kFewSteps, mirrored(2, values)));
            EXPECT_GT(count_in_log(run, "cannot be launched while a stream is captured"), 0U) << run;
            expect_near(run, plain, 0.0);
            expect_same_bits(run, plain);
        }
        process_options().environment.erase("SLUICE_EMULATED_CUDA_RECORDS");
    }
}

TEST_F(RecordedReplicas, give_up_together_if_one_cannot_capture) {
    write_tiny(synchronized({{"[train]\n", "[train]\naccumulate = 2\n"}}));
    for (const auto& [name, values] : {std::pair{"whole", kSmallBuckets}, {"slices", kSlices}}) {
        const std::string plain = std::string(name) + "_plain";
        train(plain, joined(kFewSteps, mirrored(2, joined({"device.record=false"}, values))));
        for (const int most : {2, 12}) {
            pretend("RECORDS", most);
            pretend("RECORDS_ON", 1);
            const std::string run = name + std::to_string(most);
            train(run, joined(kFewSteps, mirrored(2, joined({"strategy.deadline=2"}, values))));
            EXPECT_GT(count_in_log(run, "cannot be launched while a stream is captured"), 0U) << run;
            EXPECT_GT(count_in_log(run, "another replica could not capture its steps"), 0U) << run;
            expect_same_bits(run, plain);
        }
        process_options().environment.erase("SLUICE_EMULATED_CUDA_RECORDS");
    }
}

// The replicas hang in the second step, after its capture. The first step has exchanged gradients and losses.
TEST_F(RecordedReplicas, that_hang_while_they_agree_are_given_up) {
    write_tiny(whole_batch());
    pretend("LOST", 2);
    expect_refused(
        host(joined({"train", "tiny.toml", "--run-folder", "run"}, mirrored(2, {"strategy.deadline=1"}))), 7,
        {"'whether steps are captured' (1 elements) did not finish within 1 s after all replicas started it"});
}

// One replica computes three samples one after the other, and the other computes two at once. The last step has only
// one batch instead of two.
TEST_F(RecordedReplicas, may_compute_in_different_pieces) {
    write_tiny(whole_batch(
        {{"batch = 4", "batch = 5"}, {"count = 16", "count = 15"}, {"[train]\n", "[train]\naccumulate = 2\n"}}));
    const int two_samples = 2 * 34 * 34 * 8;
    const std::vector<std::string> pieces =
        joined({"device.kernels=[{ use = \"emulated_cudnn\", most_elements = " + std::to_string(two_samples) + " }]"},
               kSmallBuckets);
    train("whole", sets(kClipped));
    train("run", mirrored(2, joined({"strategy.deadline=2"}, pieces)));
    EXPECT_EQ(count_in_log("run", "split   3 micro-batches of 1 samples make a batch"), 1U);
    expect_recorded("run");
    expect_near("run", "whole", 1e-4);
}

// In the window, each replica exchanges gradients without its graph.
TEST_F(RecordedReplicas, without_cupti_have_launches_in_a_window) {
    write_tiny(whole_batch());
    pretend("CUPTI", 0);
    for (const auto& [name, values] : {std::pair{"whole", kSmallBuckets}, {"slices", kSlices}}) {
        const std::string plain = std::string(name) + "_plain";
        train(plain, mirrored(2, values));
        for (const char* const steps : {"1-2", "3-4"}) {
            const std::string run = std::string(name) + steps;
            train(run, joined({"--profile", steps}, mirrored(2, joined({"strategy.deadline=2"}, values))));
            expect_recorded(run);
            expect_same_bits(run, plain);
            EXPECT_EQ(count_in_log(run, "they ran without captured graphs"), 1U);
            expect_output({"profile", "show", run},
                          {"launches of stream of replica 0\n", "\n  ... of replica 0", "\n  ... of replica 1"});
        }
    }
}

// The last batch of an epoch's last step has one sample, which the first replica gets.
TEST_F(RecordedReplicas, without_a_sample_in_a_later_part_take_no_memory) {
    write_tiny(synchronized({{"count = 16", "count = 21"}, {"[train]\n", "[train]\naccumulate = 3\n"}}));
    train("cpu", sets(joined({"device.use=cpu", "device.kernels=reference"}, kClipped)));
    for (const int replicas : {2, 3}) {
        const std::string run = "run" + std::to_string(replicas);
        train(run, mirrored(replicas, joined({"strategy.deadline=2"}, kSmallBuckets)));
        expect_recorded(run);
        expect_near(run, "cpu", 1e-4);
    }
}

}  // namespace
}  // namespace sluice::test
