// Segmentation of real street scenes in the folder camvid/ of SLUICE_TEST_DATA. It has 60 pictures of 480x360, whose
// label maps hold classes 0 to 10, and 11 for pixels of no class.
#include <cstdlib>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

constexpr std::string_view kScenesPipeline = R"(version = 1
seed = 3

[data]
batch = 5

[data.train]
source = { use = "segmentation_pairs", images = "${SLUICE_TEST_DATA}/camvid/images", labels = "${SLUICE_TEST_DATA}/camvid/labels", split = "train", folds = 6, fold = 0 }
map = [
  { use = "decode", label_maps = ["label"] },
  { use = "resize", size = [60, 80] },
  { use = "cache" },
  { use = "random_crop", size = [48, 64] },
  { use = "random_flip" },
]

[data.validation]
source = { use = "segmentation_pairs", images = "${SLUICE_TEST_DATA}/camvid/images", labels = "${SLUICE_TEST_DATA}/camvid/labels", split = "validation", folds = 6, fold = 0 }
map = [
  { use = "decode", label_maps = ["label"] },
  { use = "resize", size = [60, 80] },
]

[model]
input = "image"
target = "label"
layers = [
  { type = "conv2d", filters = 16, kernel = 5 },
  { type = "batch_norm" },
  { type = "relu" },
  { type = "conv2d", filters = 16, kernel = 5 },
  { type = "batch_norm" },
  { type = "relu" },
  { type = "conv2d", filters = 11, kernel = 1 },
]

[loss]
use = "softmax_cross_entropy"
ignore_label = 11

[metrics]
use = [{ use = "accuracy", ignore_label = 11 }, { use = "mean_iou", ignore_label = 11 }]

[optimizer]
use = "adam"
rate = 1e-2

[schedule]
use = "cosine"

[train]
epochs = 8

[evaluate]
every = "8 epochs"
)";

class StreetScenes : public PipelineTest {
protected:
    void SetUp() override {
        const char* const data = std::getenv("SLUICE_TEST_DATA");
        if (data == nullptr || !std::filesystem::is_directory(std::filesystem::path(data) / "camvid")) {
            GTEST_SKIP() << "SLUICE_TEST_DATA names no folder that holds camvid/";
        }
        write("scenes.toml", kScenesPipeline);
    }
};

// A third of the labelled pixels is road: that class for every pixel would give 0.32 and 0.03.
TEST_F(StreetScenes, are_distinguished_by_their_pixels) {
    expect_success(host({"train", "scenes.toml", "--run-folder", "run"}));
    const auto found = scores(checkpoint());
    EXPECT_EQ(found.at("samples"), 10);
    EXPECT_GT(found.at("accuracy"), 0.5);
    EXPECT_GT(found.at("mean_iou"), 0.12);
}

TEST_F(StreetScenes, with_a_class_that_the_loss_does_not_know_are_refused) {
    expect_refused(host({"train", "scenes.toml", "--run-folder", "run", "--quiet", "--set",
                         R"(loss={ use = "softmax_cross_entropy" })"}),
                   3, {"camvid/labels/", "field 'label' is 11 at [", "'softmax_cross_entropy' takes classes 0 to 10"});
}

TEST_F(StreetScenes, whose_labels_are_decoded_to_colours_are_refused) {
    expect_refused(host({"plan", "scenes.toml", "--set",
                         R"(data.train.map=[{ use = "decode" }, { use = "random_crop", size = [48, 64] }])", "--set",
                         R"(data.validation.map=[{ use = "decode" }, { use = "resize", size = [60, 80] }])"}),
                   2, {"softmax_cross_entropy: the target is [5, 48, 64, 3] float32", "decode them with label_maps"});
}

}  // namespace
}  // namespace sluice::test
