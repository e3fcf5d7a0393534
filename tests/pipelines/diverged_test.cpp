// A loss that is not finite ends the run with exit code 5; what was saved before stays.
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

}  // namespace
}  // namespace sluice::test
