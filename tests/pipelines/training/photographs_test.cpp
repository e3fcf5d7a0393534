// The shipped pipelines on real photographs in the folder that SLUICE_TEST_DATA names. A slow test checks the gain in
// PSNR that the default pipeline promises.
#include <cstdlib>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Photographs : public PipelineTest {
protected:
    void SetUp() override {
        const char* data = std::getenv("SLUICE_TEST_DATA");
        if (data == nullptr) {
            GTEST_SKIP() << "SLUICE_TEST_DATA is not set; it must name a folder that holds photos/";
        }
        folder_ = std::string(data) + "/photos";
    }

    // Returns the arguments for deblur-photos.toml on the photographs.
    [[nodiscard]] std::vector<std::string> on_photographs(const std::vector<std::string>& more = {}) const {
        return joined({"--pipeline", "deblur-photos.toml", "--set", "data.train.source.folder=" + folder_, "--set",
                       "data.validation.source.folder=" + folder_},
                      more);
    }

    std::string folder_;
};

TEST_F(Photographs, are_split_trained_on_and_measured) {
    expect_success(host(joined({"train", "--run-folder", "run", "--steps", "2"},
                               on_photographs({"--set", "data.validation.source.limit=4"}))));
    const auto all = scores(checkpoint(), on_photographs());
    EXPECT_EQ(all.at("samples"), 50);
    EXPECT_NEAR(all.at("input_psnr"), 25.2, 0.1);  // of the blur alone, whatever was trained
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
    process_options().deadline = std::chrono::minutes(20);
    expect_success(host({"train", "--pipeline", "deblur.toml", "--run-folder", "run"}));
    const auto own = scores(checkpoint("run", "best"));
    EXPECT_GT(own.at("psnr"), own.at("input_psnr") + 2.0);
    const auto real = scores(checkpoint("run", "best"), on_photographs({"--set", "data.validation.source.split=all"}));
    EXPECT_EQ(real.at("samples"), 200);
    EXPECT_GT(real.at("psnr"), real.at("input_psnr") + 1.0);
}

}  // namespace
}  // namespace sluice::test
