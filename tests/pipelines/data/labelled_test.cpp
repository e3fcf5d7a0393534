#include "data/labelled_test.hpp"

namespace sluice::test {
namespace {

constexpr std::string_view kClassifier = R"(version = 1
seed = 3

[data]
batch = 16
workers = 1

[data.train]
source = { use = "test_stripes", count = 128 }

[data.validation]
source = { use = "test_stripes", count = 50, first = 1000 }

[model]
input = "image"
target = "label"
layers = [
  { type = "conv2d", filters = 8, kernel = 5, stride = 2 },
  { type = "batch_norm" },
  { type = "leaky_relu", slope = 0.1 },
  { type = "conv2d", filters = 16, stride = 2 },
  { type = "silu" },
  { type = "global_average_pool" },
  { type = "dense", units = 4 },
]

[loss]
use = "softmax_cross_entropy"
label_smoothing = 0.05

[metrics]
use = ["accuracy", { use = "top_k", k = 1 }, { use = "top_k", k = 2 }, "softmax_cross_entropy"]

[optimizer]
use = "adam"
rate = 1e-2

[train]
epochs = 8

[checkpoint]
monitor = "accuracy"
)";

}  // namespace

void LabelledTest::write_classifier(const Replacements& replacements) const {
    write_pipeline("labelled.toml", std::string(kClassifier), replacements);
}

Finished LabelledTest::train_into(const std::string& run, const std::vector<std::string>& more) const {
    return host(joined({"train", "labelled.toml", "--run-folder", run}, more));
}

Finished LabelledTest::host(const std::vector<std::string>& arguments) const {
    return PipelineTest::host(joined(arguments, std::vector<std::string>{"--plugin", SLUICE_TEST_LABELLED_DIR}));
}

}  // namespace sluice::test
