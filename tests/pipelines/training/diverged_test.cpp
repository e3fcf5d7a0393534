// If a loss is not finite, the run exits with code 5, and earlier checkpoints stay.
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Diverged : public PipelineTest {};

TEST_F(Diverged, names_step_and_layer) {
    train_refused({{"rate = 1e-3", "rate = 1e30"}}, 5, {"the loss of step 2", "layer 'conv2d", "rate"});
}

TEST_F(Diverged, keeps_the_last_checkpoint) {
    write_tiny();
    train();
    const std::string saved = read_bytes(checkpoint());
    expect_refused(host({"resume", "run", "--set", "optimizer.rate=1e30", "--set", "train.epochs=4"}), 5,
                   {"the loss of step 10", "last.safetensors"});
    EXPECT_EQ(read_bytes(checkpoint()), saved);
    EXPECT_NE(read_bytes(folder() / "run/log.txt").find("the loss of step 10"), std::string::npos);
}

// One step is enough to ruin the weights, and the loss of that step is still finite.
TEST_F(Diverged, never_saves_weights_that_are_not_finite) {
    write_tiny();
    train();
    const std::string saved = read_bytes(checkpoint());
    expect_refused(host({"resume", "run", "--set", "optimizer.rate=1e39", "--set", "train.epochs=4", "--set",
                         "checkpoint.every=1 steps", "--set", "evaluate.every=1000 steps"}),
                   5, {"after step 9", "not finite", "last.safetensors"});
    EXPECT_EQ(read_bytes(checkpoint()), saved);
}

}  // namespace
}  // namespace sluice::test
