// `host evaluate`: its output, and its files for other programs.
#include <cmath>
#include <cstdint>
#include <sstream>

#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Evaluate : public PipelineTest {
protected:
    Evaluate() {
        write_tiny();
        train();
    }
};

TEST_F(Evaluate, prints_metrics_beside_those_of_the_input) {
    expect_output({"evaluate", checkpoint()}, {"samples     4\n", "loss ", "psnr ", "(input "});
}

TEST_F(Evaluate, json_agrees_with_the_training_run) {
    const auto found = scores(checkpoint());
    EXPECT_EQ(found.at("samples"), 4);
    const std::string table = read_bytes(folder() / "run/metrics.csv");
    const std::string last_row = table.substr(table.rfind("\n2,"));
    std::ostringstream psnr;
    psnr.precision(9);
    psnr << found.at("psnr");
    EXPECT_NE(last_row.find(psnr.str().substr(0, 8)), std::string::npos) << last_row << psnr.str();
    EXPECT_GT(found.at("input_psnr"), 10.0);
}

TEST_F(Evaluate, csv_has_a_row_for_each_sample) {
    expect_success(host({"evaluate", checkpoint(), "--csv", "scores.csv"}));
    const std::string table = read_bytes(folder() / "scores.csv");
    EXPECT_TRUE(table.starts_with("sample,psnr,input_psnr\n")) << table;
    EXPECT_EQ(count_of(table, "\n"), 5U) << table;
    EXPECT_EQ(count_of(table, "dead_leaves/validation/"), 4U) << table;
}

// The network has strides, and no side of the pictures is a multiple of 4.
class PaddedEvaluation : public PipelineTest {
protected:
    static constexpr const char* kStrides =
        R"({ type = "conv2d", filters = 6, stride = 2 }, { type = "relu" }, { type = "conv2d", filters = 6, stride = 2 },
           { type = "upsample", factor = 4 }, { type = "conv2d", filters = 3, kernel = 3 })";
};

// The share of right pixels is a multiple of 1 / (29 * 34), because padding does not count. The loss is a mean over as
// many pixels.
TEST_F(PaddedEvaluation, of_label_maps_counts_their_own_pixels) {
    for (int i = 0; i < 3; ++i) {
        const std::string name = std::to_string(i) + ".png";
        write("images/" + name, png_of(make_picture(29, 34, 3, i)));
        Picture labels = make_picture(29, 34, 1, i);
        for (std::uint8_t& label : labels.pixels) {
            label = static_cast<std::uint8_t>(label / 86);
        }
        write("labels/" + name, png_of_numbers(labels));
    }
    write("labels.toml", std::string(R"(version = 1
[data]
batch = 2
train.source = { use = "segmentation_pairs", images = "images", labels = "labels", split = "all" }
train.map = [{ use = "decode", label_maps = ["label"] }, { use = "random_crop", size = [16, 16] }]
validation.source = { use = "segmentation_pairs", images = "images", labels = "labels", split = "all" }
validation.map = [{ use = "decode", label_maps = ["label"] }]
[model]
input = "image"
target = "label"
layers = [)") + kStrides + R"(]
[loss]
use = "softmax_cross_entropy"
[metrics]
use = ["accuracy", "softmax_cross_entropy"]
[optimizer]
use = "adam"
rate = 1e-2
)");
    expect_success(host({"train", "labels.toml", "--run-folder", "run"}));
    expect_success(host({"evaluate", checkpoint(), "--csv", "scores.csv"}));
    const std::vector<std::string> rows = lines_of(read_bytes(folder() / "scores.csv"));
    ASSERT_EQ(rows.size(), 4U);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const double right = std::stod(rows[i].substr(rows[i].find("\",") + 2)) * 29 * 34;
        EXPECT_NEAR(right, std::round(right), 1e-2) << rows[i];
    }
    const auto found = scores(checkpoint());
    EXPECT_NEAR(found.at("loss"), found.at("softmax_cross_entropy"), 1e-6);
    expect_output({"plan", "labels.toml", "--mode", "evaluate"}, {"1x32x36x3"});
}

TEST_F(PaddedEvaluation, of_a_training_shows_pictures_of_their_own_size) {
    write_tiny({with_layers(std::string(kStrides)), {"size = [24, 32]", "size = [25, 31]"}});
    train();
    EXPECT_EQ(events("run", "evaluation").size(), 2U);
    const auto found = scores(checkpoint());
    EXPECT_EQ(found.at("samples"), 4);
    EXPECT_NEAR(found.at("loss"), events("run", "evaluation").back().at("validation_loss"), 1e-6);
    // A padded batch of four gives the results of four batches of one.
    const auto alone = scores(checkpoint(), {"--set", "data.batch=1"});
    EXPECT_NEAR(found.at("loss"), alone.at("loss"), 1e-6);
    EXPECT_NEAR(found.at("psnr"), alone.at("psnr"), 1e-3);
}

TEST_F(Evaluate, takes_other_data_by_set) {
    expect_output({"evaluate", checkpoint(), "--set", "data.validation.source.count=7"}, {"samples     7\n"});
}

TEST_F(Evaluate, needs_validation_data) {
    write("alone.toml", "version = 1\n");
    write_tiny({kWithoutValidation});
    expect_refused(host({"evaluate", checkpoint(), "--pipeline", "tiny.toml"}), 2, {"[data.validation]"});
}

TEST_F(Evaluate, csv_that_cannot_be_written) {
    expect_refused(host({"evaluate", checkpoint(), "--csv", "tiny.toml/scores.csv"}), 8, {"tiny.toml/scores.csv"});
}

}  // namespace
}  // namespace sluice::test
