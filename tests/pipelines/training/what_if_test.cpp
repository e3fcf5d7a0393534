// Work that [what_if] leaves out is really left out.
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

using WhatIf = PipelineTest;

TEST_F(WhatIf, a_step_without_its_network_leaves_the_weights_as_they_are) {
    write_tiny();
    train("untrained", {"--set", "train.steps=0"});
    const Finished finished = train("run", {"--set", "what_if.skip_network=true"});
    EXPECT_NE(finished.err.find("the weights of this run are worthless"), std::string::npos);
    EXPECT_EQ(tensors_of(checkpoint("run")), tensors_of(checkpoint("untrained")));
    train("trained");
    EXPECT_NE(tensors_of(checkpoint("trained")), tensors_of(checkpoint("untrained")));
}

TEST_F(WhatIf, replicas_that_exchange_no_gradients_learn_something_else) {
    write_tiny();
    const std::vector<std::string> two{"--set", "strategy.use=mirrored", "--set", "strategy.replicas=2"};
    train("usual", two);
    train("alone", joined<std::string>(two, {"--set", "what_if.skip_exchange=true"}));
    EXPECT_NE(tensors_of(checkpoint("alone")), tensors_of(checkpoint("usual")));
}

TEST_F(WhatIf, a_cache_on_disk_is_in_the_given_folder) {
    write_tiny();
    const std::string map =
        "data.train.map=[{ use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5 }, "
        "{ use = \"cache\", in = \"disk\", folder = \"kept\" }]";
    train("run", {"--set", map, "--set", "what_if.cache_folder=measured"});
    EXPECT_TRUE(std::filesystem::exists(folder() / "measured"));
    EXPECT_FALSE(std::filesystem::exists(folder() / "kept"));
}

}  // namespace
}  // namespace sluice::test
