// Runs that start from the weights of a file.
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Pretrained : public PipelineTest {
protected:
    // Trains tiny.toml with these weights for no step.
    Finished begin(const std::string& weights, const Replacements& more = {}) const {
        write_tiny(joined({{"[model]\n", "[model]\nweights = \"" + weights + "\"\n"}}, more));
        return host({"train", "tiny.toml", "--run-folder", "from", "--steps", "0"});
    }
};

TEST_F(Pretrained, weights_of_a_checkpoint_begin_a_run_of_its_own) {
    write_tiny();
    train("run");
    const Finished begun = begin("run/checkpoints/last.safetensors");
    expect_success(begun);
    expect_contains(begun.err, {"tensors come from", "(names of sluice)"});
    const auto trained = tensors_of(checkpoint("run"));
    const auto loaded = tensors_of(checkpoint("from"));
    for (const auto& [name, values] : loaded) {
        if (name.starts_with("model/") || name.starts_with("running/")) {
            EXPECT_EQ(values, trained.at(name)) << name;
        }
    }
    EXPECT_EQ(metadata_of(checkpoint("from")).at("step"), "0");
}

// A run that resumes does not read the file again.
TEST_F(Pretrained, weights_are_read_once) {
    write_tiny();
    train("run");
    std::filesystem::copy_file(checkpoint("run"), folder() / "once.safetensors");
    expect_success(begin("once.safetensors"));
    std::filesystem::remove(folder() / "once.safetensors");
    expect_success(host({"resume", "from", "--set", "train.steps=4"}));
    expect_success(host({"evaluate", checkpoint("from").string()}));
}

TEST_F(Pretrained, a_head_of_another_size_is_initialised_anew) {
    write_tiny();
    train("run");
    const Finished begun =
        begin("run/checkpoints/last.safetensors", {{"filters = 3, kernel = 3", "filters = 3, kernel = 5"}});
    expect_success(begun);
    expect_contains(
        begun.err, {"1 of another shape in the file, initialised anew", "model/conv2d_2/kernel: [3, 3, 3, 6] float32"});
}

TEST_F(Pretrained, files_that_do_not_fit_are_refused) {
    write_tiny();
    train("run");
    expect_refused(begin("none.safetensors"), 2, {"none.safetensors"});
    write("model.pth", std::string("PK\x03\x04 zip"));
    expect_refused(begin("model.pth"), 2,
                   {"model.pth: a file of torch.save, which runs code when it is loaded. Convert it in Python:"});
}

}  // namespace
}  // namespace sluice::test
