// Pipelines that describe only the input: `host drain` and `host prepare` accept them.
#include <algorithm>

#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

const std::string kTrain = R"([data.train]
source = { use = "dead_leaves", count = 12, size = [32, 32] }
map = [
  { use = "motion_blur", from = "sharp", to = "blurred", length = 5, angle = 0 },
  { use = "random_flip", fields = ["blurred", "sharp"] },
]
)";

const std::string kValidation = R"([data.validation]
source = { use = "dead_leaves", count = 4, size = [24, 32], split = "validation" }
map = [{ use = "motion_blur", from = "sharp", to = "blurred", length = 5, angle = 0 }]
)";

std::string model(const std::string& input, const std::string& target) {
    return "[model]\ninput = \"" + input + "\"\ntarget = \"" + target +
           "\"\nlayers = [{ type = \"relu\" }]\n[loss]\nuse = \"mse\"\n[optimizer]\nuse = \"adam\"\n";
}

class DataAlone : public PipelineTest {
protected:
    DataAlone() { write_data(""); }

    // Writes data.toml with `more` at its end.
    void write_data(const std::string& more, const std::string& train = kTrain) const {
        write("data.toml", "version = 1\nseed = 5\n[data]\nbatch = 4\n" + train + kValidation + more);
    }

    // Returns the output from the line with the epoch's SHA-256 on.
    [[nodiscard]] std::string digest_of(const std::string& stream, const std::vector<std::string>& sets = {}) const {
        const std::string line = "SHA-256 of the last whole epoch: ";
        const std::string output =
            expect_output(joined({"drain", "data.toml", "--data", stream, "--epochs", "1"}, sets), {line});
        return output.substr(std::min(output.find(line), output.size()));
    }
};

TEST_F(DataAlone, is_drained_with_all_its_fields) {
    for (const std::string stream : {"train", "validation"}) {
        write_data("");
        const std::string alone = digest_of(stream);
        EXPECT_EQ(digest_of(stream, {"--set", "data.workers=0"}), alone);
        write_data(model("blurred", "sharp"));
        EXPECT_EQ(digest_of(stream), alone);
        write_data(model("sharp", "blurred"));
        EXPECT_EQ(digest_of(stream), alone);
        write_data(model("sharp", "sharp"));
        EXPECT_NE(digest_of(stream), alone) << "the model uses one field, but the digest is that of all fields";
    }
}

TEST_F(DataAlone, is_drained_if_its_pictures_differ_in_size) {
    const std::string sets = "data.validation.source={ use = \"photos\", folder = \"p\" }";
    write("p/a.png", png_of(make_picture(20, 30)));
    write("p/b.png", png_of(make_picture(40, 10)));
    const std::vector<std::string> decoded{"--set", sets, "--set", "data.validation.map=[{ use = \"decode\" }]"};
    const std::string alone = digest_of("validation", decoded);
    write_data(model("sharp", "sharp"));
    EXPECT_EQ(digest_of("validation", decoded), alone);
}

TEST_F(DataAlone, whose_label_maps_have_transparency_is_read_with_a_warning) {
    for (int channels = 1; channels <= 4; ++channels) {
        const std::string name = std::to_string(channels) + ".png";
        Picture label = make_picture(20, 30, channels);
        std::fill(label.pixels.begin(), label.pixels.end(), std::uint8_t{3});
        write("images/" + name, png_of(make_picture(20, 30)));
        write("labels/" + name, png_of(label));
    }
    write_data("", R"([data.train]
source = { use = "segmentation_pairs", images = "images", labels = "labels", split = "all" }
map = [{ use = "decode", label_maps = ["label"] }]
)");
    const Finished finished = host({"drain", "data.toml", "--epochs", "1"});
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, "decode: the transparency of PNG files is ignored (first: field 'label'"), 1U)
        << finished.err;
}

TEST_F(DataAlone, is_prepared) {
    const std::string alone = digest_of("train");
    const std::string output = expect_output({"prepare", "data.toml", "--out", "alone"});
    write_data(model("blurred", "sharp"));
    expect_output({"prepare", "data.toml", "--out", "whole"});
    const std::string file = "train-00000-of-00001.records";
    EXPECT_TRUE(read_bytes(folder() / "alone" / file) == read_bytes(folder() / "whole" / file));
    write_data("", "[data.train]\n" + output);
    EXPECT_EQ(digest_of("train"), alone) << output;
}

TEST_F(DataAlone, whose_batches_do_not_fit_is_refused) {
    expect_refused(host({"drain", "data.toml", "--set", "data.memory=\"120 KiB\""}), 2,
                   {"data.train: a batch of 4 samples takes 24.0 KiB"});
}

TEST_F(DataAlone, is_checked_as_ever) {
    const auto refused = [&](const std::string& more, const std::vector<std::string>& parts,
                             const std::string& train = kTrain) {
        write_data(more, train);
        expect_refused(host({"drain", "data.toml", "--epochs", "1"}), 2, parts);
        expect_refused(host({"prepare", "data.toml", "--out", "out"}), 2, parts);
    };
    refused("", {"data.toml:3:2: [data] has no 'train'; a table is needed; did you mean 'trian' at data.toml:5:7?"},
            "[data.trian]\nsource = { use = \"dead_leaves\" }\n");
    refused("", {"data.toml:6:12: there is no source 'dead_leafs'; did you mean 'dead_leaves'?"},
            "[data.train]\nsource = { use = \"dead_leafs\" }\n");
    refused("[modle]\n", {"unknown key 'modle' in the pipeline; did you mean 'model'?"});
    refused("[loss]\nused = \"mse\"\n", {"[loss] has no 'use'"});
    refused("[model]\ninput = \"sharp\"\ntarget = \"sharp\"\nlayers = [{ type = \"relu\" }]\n",
            {"the pipeline has no 'loss'; a table with 'use' is needed"});
}

TEST_F(DataAlone, trains_nothing) {
    for (const std::string command : {"train", "plan", "bench"}) {
        expect_refused(host({command, "data.toml"}), 2,
                       {"data.toml:1:1: the pipeline has no 'model'; a table is needed"});
    }
}

}  // namespace
}  // namespace sluice::test
