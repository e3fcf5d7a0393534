// Log lines about data that is read in another way than a user may expect: each comes once, and the run continues.
#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class DataLog : public PipelineTest {
protected:
    void write_data(const std::string& source, const std::string& map) const {
        write("data.toml", "version = 1\n[data]\nbatch = 1\nworkers = 1\n[data.train]\nsource = { " + source +
                               " }\nmap = [" + map + "]\n[data.validation]\nsource = { " + source + " }\nmap = [" +
                               map + "]\n");
    }
    // Returns the log of two epochs of both streams.
    [[nodiscard]] std::string logged() const {
        const Finished finished = host({"drain", "data.toml", "--epochs", "2"});
        expect_success(finished);
        return finished.err;
    }
    static void expect_once(const std::string& text, const std::string& line) {
        EXPECT_EQ(count_of(text, line), 1U) << line << " in " << text;
    }
};

TEST_F(DataLog, one_picture_of_a_pair_is_turned) {
    for (const std::string name : {"a", "b"}) {
        write("blurred/" + name + ".jpg", jpeg_of(make_picture(24, 24), {.orientation = 2}));
        write("sharp/" + name + ".png", png_of(make_picture(24, 24)));
    }
    write_data(R"(use = "image_pairs", blurred = "blurred", sharp = "sharp")", R"({ use = "decode" })");
    expect_once(logged(),
                "W [sluice.transforms] decode: field 'blurred' (24x24) has the EXIF orientation 2, field 'sharp' "
                "(24x24) has no EXIF orientation: one of the two is turned");
    for (const std::string name : {"a", "b"}) {
        write("sharp/" + name + ".png", png_of(make_picture(48, 48)));  // larger than the blurred ones
    }
    const std::string text = logged();
    expect_once(text, "field 'sharp' (48x48) has no EXIF orientation");
    EXPECT_EQ(count_of(text, "stored in the same position [blurred/a.jpg with sharp/a.png]") +
                  count_of(text, "stored in the same position [blurred/b.jpg with sharp/b.png]"),
              1U)
        << text;
    for (const std::string name : {"a", "b"}) {
        write("sharp/" + name + ".png", png_of(make_picture(32, 24)));  // as made from the upright picture
        write("blurred/" + name + ".jpg", jpeg_of(make_picture(24, 32), {.orientation = 6}));
    }
    EXPECT_EQ(count_of(logged(), "EXIF"), 0U);
    write("sharp/a.png", png_of(make_picture(24, 24)));
    for (const std::string name : {"a", "b"}) {
        write("blurred/" + name + ".jpg", jpeg_of(make_picture(24, 24)));
    }
    EXPECT_EQ(count_of(logged(), "EXIF"), 0U);
}

TEST_F(DataLog, cmyk_is_made_rgb) {
    write("photos/a.jpg", jpeg_of(make_picture(24, 24, 4)));
    write("photos/b.jpg", jpeg_of(make_picture(24, 24, 4), {.ycck = true}));
    write_data(R"(use = "photos", folder = "photos")", R"({ use = "decode" })");
    expect_once(logged(),
                "I [sluice.transforms] decode: JPEG files in CMYK are converted to RGB (first: field 'sharp', 24x24)");
}

TEST_F(DataLog, files_are_passed_over) {
    for (const std::string name : {"a.png", "b.webp", "c.webp", ".hidden.png"}) {
        write("photos/" + name, png_of(make_picture(24, 24)));
    }
    std::filesystem::create_symlink("gone.png", folder() / "photos/link.png");
    write_data(R"(use = "photos", folder = "photos")", R"({ use = "decode" })");
    expect_once(logged(),
                "W [sluice.photos] 4 files are skipped: 2 .webp (such as 'photos/b.webp'), 1 dangling link "
                "('photos/link.png'), 1 hidden ('photos/.hidden.png')");
}

TEST_F(DataLog, files_of_a_folder_without_pictures_are_counted) {
    for (const std::string name : {"a.webp", "b.webp", "c.gif"}) {
        write("photos/" + name, "no picture that is read");
    }
    write_data(R"(use = "photos", folder = "photos")", R"({ use = "decode" })");
    const Finished finished = host({"drain", "data.toml"});
    EXPECT_EQ(finished.exit, 2) << finished.err;
    expect_contains(
        finished.err,
        {"no .jpg, .jpeg, .jpe, .jfif or .png file in 'photos' or below it; 3 files are skipped", "2 .webp", "1 .gif"});
}

TEST_F(DataLog, classes_are_named) {
    for (const std::string name : {"0", "1", "2"}) {
        write(name + ".png", png_of(make_picture(24, 24)));
    }
    write("list.csv", "image,label\n0.png,cat\n1.png,cat \n2.png,NaN\n");
    write_data(R"(use = "csv_images", file = "list.csv")", R"({ use = "decode" })");
    const std::string text = logged();
    expect_once(text, "I [sluice.csv_images] list.csv: class 0 is 'NaN' (1 line), 1 'cat' (1), 2 'cat ' (1)");
    expect_once(text, "W [sluice.csv_images] list.csv: class 0 is 'NaN' (1 line), which programs write for a missing");
    expect_once(text, "W [sluice.csv_images] list.csv: classes 'cat' (1 line), 'cat ' (1 line) differ only in spaces");
}

// If the folder has more samples at the resume than before, the run starts the interrupted epoch again.
TEST_F(DataLog, more_files_than_before_are_reported_by_resume) {
    for (const std::string name : {"a.png", "b.png", "c.png", "d.png"}) {
        write("photos/" + name, png_of(make_picture(48, 48)));
    }
    write_tiny({{R"(source = { use = "dead_leaves", count = 16, size = [32, 32] })",
                 R"(source = { use = "photos", folder = "photos" })"},
                {"map = [\n", "map = [\n  { use = \"decode\" },\n  { use = \"random_crop\", size = [32, 32] },\n"},
                {"batch = 4", "batch = 1"},
                {"every = \"1 epoch\"", "every = \"3 steps\""}});
    train();
    write("photos/e.jfif", jpeg_of(make_picture(48, 48)));
    const Finished resumed =
        host({"resume", "run", "--checkpoint", checkpoint("run", "step-00000006"), "--set", "train.epochs=3"});
    expect_success(resumed);
    expect_once(resumed.err, "an epoch has 5 batches, and had 4 when the run was stopped in one: epoch 2 begins anew");
}

}  // namespace
}  // namespace sluice::test
