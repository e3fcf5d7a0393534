// Picture files that cannot be used: the host names the file and exits with code 3, also in the middle of a training.
#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class BadPicture : public PipelineTest {
protected:
    BadPicture() {
        for (int i = 0; i < 3; ++i) {
            write("photos/good_" + std::to_string(i) + ".png", png_of(make_picture(48, 48, 3, i)));
        }
    }
    static Replacements photos() {
        return {{R"(source = { use = "dead_leaves", count = 16, size = [32, 32] })",
                 R"(source = { use = "photos", folder = "photos" })"},
                {"map = [\n", "map = [\n  { use = \"decode\" },\n  { use = \"random_crop\", size = [32, 32] },\n"}};
    }
    // Expects that a folder with this one bad file is refused, and that the message has the file's name and `reason`.
    void expect_refused_file(const std::string& name, const std::string& bytes, const std::string& reason) {
        write("photos/" + name, bytes);
        train_refused(photos(), 3, {"photos/" + name, reason});
        std::filesystem::remove(folder() / "photos" / name);
    }
};

TEST_F(BadPicture, good_ones_train) {
    write_tiny(photos());
    train();
}

TEST_F(BadPicture, truncated) {
    const std::string jpeg = jpeg_of(make_picture(48, 48));
    expect_refused_file("cut.jpg", jpeg.substr(0, jpeg.size() / 2), "cut");
    const std::string png = png_of(make_picture(48, 48));
    expect_refused_file("cut.png", png.substr(0, png.size() / 2), "cut");
}

TEST_F(BadPicture, empty) { expect_refused_file("empty.jpg", "", "empty"); }

// The file is refused although data.memory is not given.
TEST_F(BadPicture, longer_than_the_memory) {
    write("photos/long.jpg", "no picture");
    std::filesystem::resize_file(folder() / "photos/long.jpg", std::uintmax_t{1} << 42);
    train_refused(photos(), 3, {"photos/long.jpg", "would be", "4096.0 GiB", "data.memory leaves"});
}

TEST_F(BadPicture, no_picture_at_all) {
    expect_refused_file("notes.png", "dear diary", "not a JPEG or PNG file but text that begins with 'dear diary'");
    expect_refused_file("a.jpg", std::string("RIFF\x10\0\0\0WEBPVP8 ", 16),
                        "not a JPEG or PNG file but a WebP picture");
    expect_refused_file("c.jpg", "\xFF\xD8", "not a JPEG or PNG file but a JPEG picture cut off after 2 bytes");
    std::string png = png_of(make_picture(48, 48));
    png.erase(png.find('\r'), 1);
    expect_refused_file("d.png", png,
                        "a PNG picture harmed by a transfer in text mode (copy it again, in binary mode)");
}

TEST_F(BadPicture, smaller_than_the_patch) { expect_refused_file("small.png", png_of(make_picture(31, 48)), "32"); }

// If a picture turns out to be bad in the second epoch, nothing of the first epoch is lost.
TEST_F(BadPicture, in_mid_run_saves_what_was_trained) {
    Replacements pipeline = photos();
    pipeline.push_back({"epochs = 2", "epochs = 200000"});
    pipeline.push_back({"every = \"1 epoch\"", "every = \"100000 epochs\""});
    write_tiny(pipeline);
    HostProcess process({"train", "tiny.toml", "--run-folder", "run"}, process_options());
    ASSERT_TRUE(process.wait_for_file(folder() / "run/batch_0.png"));
    for (const auto& entry : std::filesystem::directory_iterator(folder() / "photos")) {
        std::filesystem::resize_file(entry.path(), 100);
    }
    const Finished finished = process.finish();
    EXPECT_EQ(finished.exit, 3) << finished.err;
    EXPECT_TRUE(std::filesystem::exists(checkpoint())) << finished.err;
}

TEST_F(BadPicture, of_the_validation_saves_what_was_trained) {
    write("photos/last.png", "dear diary");
    write_tiny(kValidationOnPhotos);
    expect_refused(host({"train", "tiny.toml", "--run-folder", "run"}), 3, {"photos/last.png", "data.validation"});
    EXPECT_EQ(metadata_of(checkpoint()).at("step"), "4");
    write("photos/last.png", png_of(make_picture(48, 48)));
    expect_success(host({"resume", "run"}));
    train("whole");
    const auto found = events("run", "evaluation");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found.front().at("validation_loss"), events("whole", "evaluation").front().at("validation_loss"));
}

// The metrics equal those of the good pictures alone, for single pictures and for batches.
TEST_F(BadPicture, of_the_validation_is_left_out_if_some_may_be_bad) {
    write("photos/good_3.png", png_of(make_picture(48, 48, 3, 3)));
    write("photos/good_4.png", png_of(make_picture(48, 48, 3, 4)));
    for (const std::string crop : {"", "{ use = \"center_crop\", size = [32, 32] }, "}) {
        Replacements pipeline = kValidationOnPhotos;
        pipeline.push_back({"map = [{ use = \"decode\" }, ", "map = [{ use = \"decode\" }, " + crop});
        write_tiny(pipeline);
        train("whole");
        write("photos/cut.jpg", jpeg_of(make_picture(48, 48)).substr(0, 300));
        write("photos/good_1b.png", "dear diary");
        for (const int workers : {0, 1, 3}) {
            const std::vector<std::string> more{"--set", "data.skip_bad=2", "--set",
                                                "data.workers=" + std::to_string(workers)};
            const Finished finished = train("run", more);
            EXPECT_EQ(count_of(finished.err, "photos/cut.jpg"), 1U) << finished.err;
            EXPECT_EQ(count_of(finished.err, "it is left out (bad sample 2 of at most 2)"), 1U) << finished.err;
            const auto found = events("run", "evaluation");
            const auto right = events("whole", "evaluation");
            ASSERT_EQ(found.size(), 2U);
            for (std::size_t i = 0; i < found.size(); ++i) {
                for (const char* const name : {"validation_loss", "psnr"}) {
                    EXPECT_NEAR(found[i].at(name), right[i].at(name), 1e-5 * right[i].at(name)) << crop << workers;
                }
            }
            expect_output({"evaluate", checkpoint()}, {"samples     5\n", "left out    2\n"});
            std::filesystem::remove_all(folder() / "run");
        }
        expect_refused(host({"train", "tiny.toml", "--set", "data.skip_bad=1"}), 3,
                       {"data.validation: sample", "that makes 2 bad samples", "data.skip_bad = 1"});
        for (const char* const name : {"whole", "photos/cut.jpg", "photos/good_1b.png"}) {
            std::filesystem::remove_all(folder() / name);
        }
    }
}

TEST_F(BadPicture, of_the_validation_alone_has_nothing_to_evaluate) {
    for (int i = 0; i < 3; ++i) {
        write("photos/good_" + std::to_string(i) + ".png", i == 0 ? png_of(make_picture(48, 48)) : "dear diary");
    }
    Replacements pipeline = kValidationOnPhotos;
    pipeline.push_back(
        {"map = [{ use = \"decode\" }, ", "map = [{ use = \"decode\" }, { use = \"center_crop\", size = [32, 32] }, "});
    write_tiny(pipeline);
    train("run", {"--set", "data.skip_bad=3"});
    write("photos/good_0.png", "dear diary");
    expect_refused(host({"evaluate", checkpoint()}), 3, {"every sample of the validation data is bad"});
}

TEST_F(BadPicture, is_replaced_by_others_if_some_may_be_bad) {
    write("photos/cut.jpg", jpeg_of(make_picture(48, 48)).substr(0, 300));
    write_tiny(photos());
    const Finished finished = train("run", {"--set", "data.skip_bad=1"});
    EXPECT_EQ(count_of(finished.err, "photos/cut.jpg"), 1U) << finished.err;
    EXPECT_EQ(count_of(finished.err, "bad sample 1 of at most 1"), 1U) << finished.err;
    EXPECT_EQ(metadata_of(checkpoint())["bad_samples"], "0");  // the index of cut.jpg, which is the first file by name
    expect_success(host({"resume", "run", "--set", "train.epochs=3"}));
    EXPECT_EQ(metadata_of(checkpoint())["bad_samples"], "0");
    write("photos/torn.png", png_of(make_picture(48, 48)).substr(0, 300));
    expect_refused(host({"train", "tiny.toml", "--set", "data.skip_bad=1"}), 3,
                   {"photos/", "that makes 2 bad samples", "data.skip_bad = 1"});
}

TEST_F(BadPicture, folder_without_pictures) {
    std::filesystem::remove_all(folder() / "photos");
    train_refused(photos(), 2, {"tiny.toml:9:", "'photos'", "does not exist"});
    std::filesystem::create_directories(folder() / "photos");
    train_refused(photos(), 2, {"tiny.toml:9:", "'photos'", ".png"});
}

TEST_F(BadPicture, blurred_picture_without_its_sharp_twin) {
    for (const char* name : {"blur/a.png", "sharp/a.png", "blur/b.png", "blur/lonely.png", "sharp/b.png"}) {
        write(name, png_of(make_picture(40, 40)));
    }
    const Replacements pairs{{R"(source = { use = "dead_leaves", count = 16, size = [32, 32] })",
                              R"(source = { use = "image_pairs", blurred = "blur", sharp = "sharp" })"},
                             {R"(  { use = "motion_blur", from = "sharp", to = "blurred", length = 5, angle = 0 },
  {)",
                              R"(  { use = "decode" }, { use = "random_crop", size = [32, 32] }, {)"}};
    train_refused(pairs, 3, {"lonely.png", "sharp", "missing_is_bad = true"});
    train("lenient", {"--set", "data.train.source.missing_is_bad=true", "--set", "data.skip_bad=1"});
    EXPECT_EQ(metadata_of(checkpoint("lenient"))["bad_samples"], "2");
    write("sharp/lonely.png", png_of(make_picture(40, 41)));
    train_refused(pairs, 3, {"lonely", "40x40", "41x40"});
    write("sharp/lonely.png", png_of(make_picture(40, 40)));
    train();
}

}  // namespace
}  // namespace sluice::test
