// The shipped pipelines on real photographs, which SLUICE_TEST_DATA names; and, labelled slow, what the default
// pipeline promises.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Photographs : public PipelineTest {
protected:
    void SetUp() override {
        const char* data = std::getenv("SLUICE_TEST_DATA");
        if (data == nullptr) {
            GTEST_SKIP() << "SLUICE_TEST_DATA is not set: a folder that holds photos/ is needed";
        }
        folder_ = std::string(data) + "/photos";
    }

    // deblur-photos.toml on the photographs, with a command's own arguments in front and behind.
    [[nodiscard]] std::vector<std::string> on_photographs(std::vector<std::string> arguments,
                                                          const std::vector<std::string>& more) const {
        arguments.insert(arguments.end(),
                         {"--pipeline", "deblur-photos.toml", "--set", "data.train.source.folder=" + folder_, "--set",
                          "data.validation.source.folder=" + folder_});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    [[nodiscard]] nlohmann::json measure(const std::filesystem::path& checkpoint,
                                         const std::vector<std::string>& more) const {
        const Finished finished = host(on_photographs({"evaluate", checkpoint, "--json"}, more));
        expect_success(finished);
        return nlohmann::json::parse(finished.out);
    }

    std::string folder_;
};

TEST_F(Photographs, are_split_trained_on_and_measured) {
    expect_success(host(
        on_photographs({"train", "--run-folder", "run", "--steps", "2"}, {"--set", "data.validation.source.limit=4"})));
    const nlohmann::json all = measure(checkpoint(), {});
    EXPECT_EQ(all.at("samples"), 50);
    EXPECT_NEAR(all.at("input_psnr").get<double>(), 25.2, 0.1);  // of the blur itself: it does not depend on training
}

TEST_F(Photographs, are_restored_at_their_own_size) {
    write_tiny();
    train();
    expect_success(host({"predict", checkpoint(), "--input", folder_ + "/100075.jpg", "--output", "restored"}));
    const std::string png = read_bytes(folder() / "restored/100075.png");
    ASSERT_GT(png.size(), 24U);
    EXPECT_EQ(png.substr(16, 8), std::string("\0\0\1\xE1\0\0\1\x41", 8));  // 481 x 321, in the PNG header
}

using SlowPhotographs = Photographs;

TEST_F(SlowPhotographs, default_training_lifts_pictures_that_it_never_saw) {
    surroundings().deadline = std::chrono::minutes(20);
    expect_success(host({"train", "--pipeline", "deblur.toml", "--run-folder", "run"}));
    const Finished made = host({"evaluate", checkpoint("run", "best"), "--json"});
    expect_success(made);
    const auto own = nlohmann::json::parse(made.out);
    EXPECT_GT(own.at("psnr").get<double>(), own.at("input_psnr").get<double>() + 2.0);
    const nlohmann::json real = measure(checkpoint("run", "best"), {"--set", "data.validation.source.split=all"});
    EXPECT_EQ(real.at("samples"), 200);
    EXPECT_GT(real.at("psnr").get<double>(), real.at("input_psnr").get<double>() + 1.0);
}

}  // namespace
}  // namespace sluice::test
