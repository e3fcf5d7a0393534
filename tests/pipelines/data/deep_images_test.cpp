// Pipelines on PNG files of 16 bits.
#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

const std::string kDigest = "SHA-256 of the last whole epoch: ";

class DeepPictures : public PipelineTest {
protected:
    void write_pictures(const std::string& of, int count, int height, int width) const {
        for (int number = 0; number < count; ++number) {
            DeepPicture picture{height, width, 3, {}};
            for (int i = 0; i < height * width * 3; ++i) {
                picture.values.push_back(static_cast<std::uint16_t>(i * 7919 + number * 31));
            }
            write(of + "/" + std::to_string(number) + ".png", png_of(picture));
        }
    }

    void write_data(const std::string& source, const std::string& map) const {
        write("data.toml",
              "version = 1\n[data]\nbatch = 2\n[data.train]\nsource = " + source + "\nmap = [" + map + "]\n");
    }

    [[nodiscard]] std::string digest_of(const std::vector<std::string>& more = {}) const {
        const std::string output = expect_output(joined({"drain", "data.toml", "--epochs", "2"}, more), {kDigest});
        return output.substr(output.find(kDigest));
    }
};

const std::string kPhotos = R"({ use = "photos", folder = "p" })";
const std::string kMap = R"({ use = "decode", type = "float32" }, { use = "random_crop", size = [32, 40] })";

TEST_F(DeepPictures, are_the_same_for_any_workers_and_prepared) {
    write_pictures("p", 5, 70, 90);
    write_data(kPhotos, kMap);
    const std::string expected = digest_of({"--set", "data.workers=0"});
    EXPECT_EQ(digest_of({"--set", "data.workers=1"}), expected);
    EXPECT_EQ(digest_of({"--set", "data.workers=2", "--plugin-checks"}), expected);
    const std::string output = expect_output({"prepare", "data.toml", "--out", "out"});
    write("data.toml", "version = 1\n[data]\nbatch = 2\n[data.train]\n" + output);
    EXPECT_EQ(digest_of(), expected);
    // The prepared pictures are stored in tiles, so the source reads only what the crop keeps.
    expect_output({"drain", "data.toml", "--epochs", "2"}, {"done with the one before"});
    write_data(kPhotos, kMap);
    expect_refused(host({"prepare", "data.toml", "--out", "examples", "--format", "tfrecord"}), 2,
                   {"field 'sharp' is", "float32, which `--format tfrecord` does not write; `--format records` does"});
}

// If only some of the prepared sources are stored in tiles, none of them is read in windows.
TEST_F(DeepPictures, of_several_sources_need_not_all_lie_in_tiles) {
    for (const std::string of : {"large", "small"}) {
        const int side = of == "large" ? 80 : 16;
        write_pictures(of + "/blurred", 2, side, side);
        write_pictures(of + "/sharp", 2, side, side);
        const std::string crop =
            of == "large" ? "" : R"(, { use = "center_crop", size = [16, 16], fields = ["sharp"] })";
        write_data(
            "{ use = \"image_pairs\", blurred = \"" + of + "/blurred\", sharp = \"" + of + "/sharp\" }",
            R"({ use = "decode", fields = ["blurred"] }, { use = "decode", fields = ["sharp"], type = "float32" })" +
                crop);
        expect_output({"prepare", "data.toml", "--out", of + "_out"});
    }
    write_data(R"([{ use = "records", path = "large_out" }, { use = "records", path = "small_out" }])",
               R"({ use = "random_crop", size = [8, 8] })");
    EXPECT_EQ(digest_of({"--plugin-checks"}), digest_of());
}

TEST_F(DeepPictures, that_lose_bits_are_reported_with_what_keeps_them) {
    write_pictures("p", 2, 20, 20);
    write_data(kPhotos, R"({ use = "decode" })");
    const Finished shallow = host({"drain", "data.toml", "--epochs", "1"});
    expect_success(shallow);
    EXPECT_EQ(
        count_of(shallow.err,
                 "W [sluice.transforms] decode: PNG files of 16 bits are reduced to 8 bits (first: field 'sharp'"),
        1U)
        << shallow.err;
    expect_contains(shallow.err, {R"({ use = "decode", type = "float32" } keeps all bits)"});
    write_data(kPhotos, R"({ use = "decode", type = "float32" })");
    EXPECT_EQ(host({"drain", "data.toml", "--epochs", "1"}).err, "");
}

// `predict` gives the network pictures as the training did: an evaluation against the files that it writes shows this.
// Only files clip values below 0 and above 1.
TEST_F(DeepPictures, are_restored_as_the_network_was_trained) {
    write_pictures("a", 4, 40, 40);
    write_pictures("b", 4, 40, 40);
    const std::string data = R"({ use = "image_pairs", blurred = "a", sharp = "b" })";
    write_tiny({{"input = ", "range = [-1, 1]\ninput = "},
                {R"({ use = "dead_leaves", count = 16, size = [32, 32] })", data},
                {"  { use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, angle = 0 },\n",
                 "  { use = \"decode\", type = \"float32\" },\n  { use = \"random_crop\", size = [32, 32] },\n"},
                {R"(source = { use = "dead_leaves", count = 4, size = [24, 32], split = "validation" }
map = [{ use = "motion_blur", from = "sharp", to = "blurred", length = 5, angle = 0 }])",
                 "source = " + data + "\nmap = [{ use = \"decode\", type = \"float32\" }]"}});
    train("run", {"--steps", "2"});
    const Finished finished = host({"predict", checkpoint(), "--input", "a", "--output", "out"});
    expect_success(finished);
    EXPECT_EQ(finished.err.find("16 bits"), std::string::npos) << finished.err;
    expect_success(
        host({"evaluate", checkpoint(), "--csv", "scores.csv", "--set",
              R"(data.validation.source={ use = "image_pairs", blurred = "a", sharp = "out", split = "all" })"}));
    const std::vector<std::string> rows = lines_of(read_bytes(folder() / "scores.csv"));
    ASSERT_EQ(rows.size(), 5U);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_GT(std::stod(rows[i].substr(rows[i].find("\",") + 2)), 45.0) << rows[i];
    }
}

TEST_F(DeepPictures, train_a_network) {
    write_pictures("a", 4, 40, 40);
    write_pictures("b", 4, 40, 40);
    const std::string data = R"({ use = "image_pairs", blurred = "a", sharp = "b" })";
    write_tiny({{R"({ use = "dead_leaves", count = 16, size = [32, 32] })", data},
                {"  { use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, angle = 0 },\n",
                 "  { use = \"decode\", type = \"float32\" },\n  { use = \"random_crop\", size = [32, 32] },\n"},
                {R"(source = { use = "dead_leaves", count = 4, size = [24, 32], split = "validation" }
map = [{ use = "motion_blur", from = "sharp", to = "blurred", length = 5, angle = 0 }])",
                 "source = " + data + "\nmap = [{ use = \"decode\", type = \"float32\" }]"}});
    train();
    EXPECT_EQ(scores(checkpoint()).at("samples"), 4.0);
}

}  // namespace
}  // namespace sluice::test
