// What the stages of the input do: `host drain`, and `--stages` of a training.
#include <nlohmann/json.hpp>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class InputStages : public PipelineTest {};

TEST_F(InputStages, are_listed_with_the_digest_of_an_epoch) {
    write_tiny();
    const Finished drained = host({"drain", "tiny.toml", "--epochs", "1"});
    ASSERT_EQ(drained.exit, 0) << drained.err;
    train();
    const Finished again = host({"drain", "tiny.toml", "--epochs", "1", "--set", "data.workers=3"});
    const std::string digest = "SHA-256 of the last whole epoch: ";
    const std::string sum = drained.out.substr(drained.out.find(digest) + digest.size(), 64);
    EXPECT_NE(again.out.find(digest + sum), std::string::npos) << again.out << drained.out;
    EXPECT_NE(read_bytes(folder() / "run/log.txt").find("epoch 1: sha256 of its samples " + sum), std::string::npos);
    expect_contains(drained.out, {"dead_leaves", "samples/s", "threads busy", "MB/s in", "blocked on output",
                                  "of the workers' time"});
}

TEST_F(InputStages, as_json) {
    write_tiny();
    const Finished drained = host({"drain", "tiny.toml", "--data", "validation", "--seconds", "0.2", "--json"});
    ASSERT_EQ(drained.exit, 0) << drained.err;
    const auto found = nlohmann::json::parse(drained.out);
    EXPECT_GT(found["samples_per_second"].get<double>(), 0.0);
    EXPECT_EQ(found["stages"][0]["name"], "dead_leaves");
    EXPECT_GT(found["stages"][0]["samples"].get<int>(), 0);
    EXPECT_GT(found["stages"][1]["bytes_in"].get<int>(), 0);
    EXPECT_GE(found["worker_seconds"].get<double>(), 0.2);
}

TEST_F(InputStages, of_what_is_not_there) {
    write_tiny();
    expect_refused(host({"drain", "tiny.toml", "--data", "test"}), 2, {"--data is 'test'; it is train or validation"});
    expect_refused(host({"drain", "tiny.toml", "--epochs", "-1"}), 2, {"--epochs is -1; it is more than 0"});
}

TEST_F(InputStages, are_told_of_at_the_end_of_a_training) {
    write_tiny();
    train("run", {"--stages"});
    expect_contains(read_bytes(folder() / "run/log.txt"),
                    {"input, all in all:", "dead_leaves", "batches ready; waited"});
}

}  // namespace
}  // namespace sluice::test
