// `host prepare`: it writes the samples that the pipeline makes, and no interruption changes a byte.
#include <sys/mount.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

namespace fs = std::filesystem;

class Prepare : public PipelineTest {
protected:
    // Writes tiny.toml with enough samples for some files of about 100 kB.
    void write_many() const { write_tiny({{"count = 16", "count = 600"}}); }
    // Writes tiny.toml for the pictures in p, which it decodes, changes by `transform`, and blurs.
    void write_photos(const std::string& transform) const {
        write_tiny(
            {{R"({ use = "dead_leaves", count = 16, size = [32, 32] })", R"({ use = "photos", folder = "p" })"},
             {"  { use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, angle = 0 },\n",
              "  { use = \"decode\" },\n  " + transform + ",\n  { use = \"motion_blur\", length = 5, angle = 0 },\n"}});
    }
    // Writes twelve pictures and a table of them that omits the numbers `without`. No float holds all bits of its
    // weights.
    void write_list(const std::string& name, const std::vector<int>& without = {}, double factor = 0.1) const {
        std::string table = "image,label,often\n";
        for (int i = 0; i < 12; ++i) {
            const std::string picture = std::to_string(10 + i) + ".png";
            write("p/" + picture, png_of(make_picture(64, 64, 3, i)));
            if (std::ranges::find(without, i) == without.end()) {
                table += picture + ",a," + std::to_string(factor * (1 + i % 5)) + "\n";
            }
        }
        write("p/" + name, table);
    }
    // Writes tiny.toml for such tables, whose samples are drawn by their weights.
    void write_weighted(const std::vector<std::string>& lists) const {
        std::string sources;
        for (const std::string& list : lists) {
            sources += R"({ use = "csv_images", file = "p/)" + list + R"(", weights = "often" }, )";
        }
        write_tiny({{R"({ use = "dead_leaves", count = 16, size = [32, 32] })",
                     "[" + sources + "]\nsampling.use = \"weights\""},
                    {"  { use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, angle = 0 },\n",
                     "  { use = \"decode\" },\n"
                     "  { use = \"motion_blur\", from = \"image\", to = \"blurred\", length = 5, angle = 0 },\n"},
                    {R"(fields = ["blurred", "sharp"])", R"(fields = ["blurred", "image"])"},
                    {R"(target = "sharp")", R"(target = "image")"},
                    kWithoutValidation});
    }
    [[nodiscard]] std::vector<std::string> command(const std::string& out,
                                                   const std::vector<std::string>& more = {}) const {
        return joined({"prepare", "tiny.toml", "--out", out, "--shard-size", "100 kB"}, more);
    }
    // Returns the bytes of each file by its name.
    [[nodiscard]] std::map<std::string, std::string> contents(const std::string& of) const {
        std::map<std::string, std::string> all;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder() / of)) {
            all[entry.path().filename().string()] = read_bytes(entry.path());
        }
        return all;
    }
    void expect_same_files(const std::string& a, const std::string& b) const {
        const auto of_a = contents(a);
        const auto of_b = contents(b);
        ASSERT_EQ(of_a.size(), of_b.size());
        for (const auto& [name, bytes] : of_a) {
            ASSERT_EQ(of_b.count(name), 1U) << name;
            EXPECT_TRUE(of_b.at(name) == bytes) << name;
        }
    }
    // Returns the SHA-256 of an epoch's samples.
    [[nodiscard]] std::string digest_of(const std::string& stream, const std::vector<std::string>& sets) const {
        const std::string line = "SHA-256 of the last whole epoch: ";
        const std::string output =
            expect_output(joined({"drain", "tiny.toml", "--data", stream, "--epochs", "1"}, sets), {line});
        const std::size_t at = output.find(line);
        return at == std::string::npos ? "" : output.substr(at + line.size(), 64);
    }
    // Expects that the pipeline makes the same samples from the prepared files of each format.
    void expect_same_samples(const std::string& stream, const std::vector<std::string>& more = {}) const {
        const std::string expected = digest_of(stream, {});
        for (const std::vector<std::string>& format :
             std::vector<std::vector<std::string>>{{}, {"--format", "tfrecord"}, {"--format", "tfrecord", "--gzip"}}) {
            fs::remove_all(folder() / "out");
            const std::string output = expect_output(command("out", joined(joined({"--data", stream}, more), format)));
            EXPECT_EQ(digest_of(stream, as_sets(output, stream)), expected) << output;
        }
    }
    // Returns the printed lines as settings of that stream.
    static std::vector<std::string> as_sets(const std::string& printed, const std::string& stream) {
        std::vector<std::string> sets;
        for (const std::string& line : lines_of(printed)) {
            sets.emplace_back("--set");
            const std::size_t equals = line.find(" = ");
            sets.push_back("data." + stream + "." + line.substr(0, equals) + "=" + line.substr(equals + 3));
        }
        return sets;
    }
};

TEST_F(Prepare, stops_before_what_draws_at_random) {
    write_tiny();
    const Finished finished = host({"prepare", "tiny.toml", "--out", "out"});
    expect_success(finished);
    EXPECT_EQ(finished.out,
              "source = { use = \"records\", path = \"out\" }\n"
              "map = [{ use = \"random_flip\", fields = [\"blurred\", \"sharp\"] }]\n");
    EXPECT_NE(finished.err.find("up to 'random_flip', which draws at random"), std::string::npos) << finished.err;
    EXPECT_EQ(contents("out").count("train-00000-of-00001.records"), 1U);
    const Finished again = host({"prepare", "tiny.toml", "--out", "out"});
    expect_success(again);
    EXPECT_EQ(again.out, finished.out);
    EXPECT_NE(again.err.find("1 of them existed already"), std::string::npos) << again.err;
}

TEST_F(Prepare, stops_before_what_draws_seldom) {
    write_tiny({{"{ use = \"random_flip\", ", "{ use = \"cutout\", probability = 0.01, "}});
    const Finished finished = host({"prepare", "tiny.toml", "--out", "out"});
    expect_success(finished);
    expect_contains(finished.err, {"up to 'cutout', which draws at random"});
}

// Every other picture is as large as the crop, which then draws nothing.
TEST_F(Prepare, stops_before_what_draws_for_some_samples) {
    for (int i = 0; i < 8; ++i) {
        const int side = i % 2 == 0 ? 32 : 48;
        write("p/" + std::to_string(i) + ".png", png_of(make_picture(side, side, 3, i)));
    }
    write_photos("{ use = \"random_crop\", size = [32, 32] }");
    const Finished finished = host({"prepare", "tiny.toml", "--out", "out"});
    expect_success(finished);
    expect_contains(finished.err, {"prepared: decode after source 'photos' (up to 'random_crop', which draws"});
}

// motion_blur draws at random only if a range is given.
TEST_F(Prepare, stops_at_a_transform_that_draws_by_its_options) {
    write_tiny({{"length = 5, angle = 0 },\n", "length = 5, angle_range = [0, 90] },\n"}});
    const Finished finished = host({"prepare", "tiny.toml", "--out", "out"});
    expect_success(finished);
    expect_contains(finished.err, {"up to 'motion_blur', which draws at random"});
}

TEST_F(Prepare, keeps_what_decodes_smaller_beside_decode) {
    for (int i = 0; i < 4; ++i) {
        write("p/" + std::to_string(i) + ".jpg", jpeg_of(make_picture(90, 110, 3, i)));
    }
    for (const std::string scaled : {"resize", "random_resized_crop"}) {
        write_photos("{ use = \"" + scaled + "\", size = [32, 32], dct_scaling = true }");
        const std::string out = "of_" + scaled;
        if (scaled == "random_resized_crop") {
            expect_refused(host(command(out, {"--until", "decode"})), 2,
                           {"the prepared part, set by --until, would end where the pipeline cannot be cut in two",
                            "dct_scaling"});
        }
        const std::string expected = digest_of("train", {"--set", "data.batch=2"});
        const Finished finished = host(command(out));
        expect_success(finished);
        const bool is_made = scaled == "resize";
        EXPECT_EQ(finished.err.find("'random_resized_crop' needs 'decode' right before it") == std::string::npos,
                  is_made)
            << finished.err;
        EXPECT_EQ(finished.out.find("{ use = \"decode\" }") == std::string::npos, is_made) << finished.out;
        EXPECT_EQ(digest_of("train", joined({"--set", "data.batch=2"}, as_sets(finished.out, "train"))), expected);
    }
}

TEST_F(Prepare, writes_what_the_pipeline_makes) {
    write_tiny();
    expect_same_samples("validation");
    expect_same_samples("train");  // random_flip, which draws, comes after the prefix
}

// Pictures and label maps are stored in tiles, of which later crops read some.
TEST_F(Prepare, keeps_each_pixel_of_label_maps) {
    for (int i = 0; i < 4; ++i) {
        write("images/" + std::to_string(i) + ".jpg", jpeg_of(make_picture(90, 110, 3, i)));
        write("labels/" + std::to_string(i) + ".png",
              png_of_numbers(make_picture(90, 110, 1, i), {.palette = i % 2 == 1}));
    }
    write("tiny.toml", R"(version = 1
data.batch = 2
data.train.source = { use = "segmentation_pairs", images = "images", labels = "labels" }
data.train.map = [
  { use = "decode", label_maps = ["label"] },
  { use = "center_crop", size = [33, 40] },
]
data.validation.source = { use = "segmentation_pairs", images = "images", labels = "labels" }
data.validation.map = [{ use = "decode", label_maps = ["label"] }]
model.input = "image"
model.target = "label"
model.layers = [{ type = "conv2d", filters = 256, kernel = 1 }]
loss.use = "softmax_cross_entropy"
optimizer = { use = "adam", rate = 1e-3 }
train.epochs = 1
)");
    expect_same_samples("validation");
    expect_same_samples("train", {"--prefix", "1"});
    expect_success(host(command("tiles", {"--data", "validation"})));
    expect_output({"check", "records", "--set", "records.path=tiles", "--case", "source.windows", "--verbose"},
                  {"passed  source.windows"});
}

TEST_F(Prepare, killed_goes_on_to_the_same_bytes) {
    write_many();
    expect_success(host(command("undisturbed", {"--workers", "1"})));
    EXPECT_GT(contents("undisturbed").size(), 10U);
    for (const int shard : {0, 3, 7}) {
        HostProcess process(command("out", {"--workers", "2"}), process_options());
        const std::string number = std::to_string(shard);
        ASSERT_TRUE(process.wait_for_text(folder() / "out/unfinished.json", "train-0000" + number));
        process.send(SIGKILL);
        process.finish();
    }
    ASSERT_EQ(contents("out").count("manifest.json"), 0U);
    expect_refused(host({"train", "tiny.toml", "--run-folder", "run", "--set",
                         R"(data.train.source={ use = "records", path = "out" })"}),
                   3, {"out: it is only partly prepared"});
    expect_success(host(command("out", {"--workers", "2"})));
    expect_same_files("out", "undisturbed");
}

TEST_F(Prepare, makes_lost_files_again) {
    write_many();
    expect_success(host(command("out")));
    const auto before = contents("out");
    const auto lost = std::next(before.begin(), 2)->first;
    ASSERT_TRUE(lost.starts_with("train-0000")) << lost;
    fs::resize_file(folder() / "out" / lost, 1000);
    const Finished finished = host(command("out"));
    expect_success(finished);
    EXPECT_NE(finished.err.find("is missing or damaged"), std::string::npos) << finished.err;
    EXPECT_TRUE(contents("out") == before);
}

// The damaged files have the right size. --verify compares all files, and a run that continues compares only the last
// one.
TEST_F(Prepare, makes_damaged_files_again) {
    write_many();
    expect_success(host(command("out")));
    const auto before = contents("out");
    std::vector<std::string> files;
    for (const auto& [name, bytes] : before) {
        if (name.ends_with(".records")) {
            files.push_back(name);
        }
    }
    const auto flip = [&](const std::string& name) {
        std::string bytes = before.at(name);
        bytes[100] = static_cast<char>(bytes[100] ^ 1);
        write("out/" + name, bytes);
    };
    for (const std::string& name : {files[1], files[4]}) {
        flip(name);
    }
    expect_contains(host(command("out", {"--verify"})).err,
                    {"out/" + files[1] + " is missing or damaged; it is written again", files[4] + " is missing",
                     "(" + std::to_string(files.size() - 2) + " of them existed already)"});
    EXPECT_TRUE(contents("out") == before);
    const std::string sound = host(command("out", {"--verify"})).err;
    EXPECT_EQ(sound.find("written again"), std::string::npos) << sound;
    flip(files.back());
    fs::rename(folder() / "out/manifest.json", folder() / "out/unfinished.json");
    expect_contains(host(command("out")).err, {files.back() + " is missing or damaged"});
    EXPECT_TRUE(contents("out") == before);
}

// The process may be killed at any moment while it writes lost files again.
TEST_F(Prepare, killed_while_it_makes_lost_files_again_goes_on) {
    write_many();
    expect_success(host(command("out")));
    const auto before = contents("out");
    const std::string lost = std::next(before.begin(), 2)->first;
    for (const std::string& file : {lost, std::next(before.begin(), 5)->first}) {
        fs::remove(folder() / "out" / file);
    }
    {
        HostProcess process(command("out", {"--workers", "1"}), process_options());
        ASSERT_TRUE(process.wait_for_text(folder() / "out/unfinished.json", lost));
        process.send(SIGKILL);
        process.finish();
    }
    EXPECT_EQ(contents("out").count("manifest.json"), 0U);
    expect_success(host(command("out")));
    EXPECT_TRUE(contents("out") == before);
    fs::copy_file(folder() / "out/manifest.json", folder() / "out/unfinished.json");
    expect_success(host(command("out")));
    EXPECT_TRUE(contents("out") == before);
}

// The changed picture is not among the samples that are compared first.
TEST_F(Prepare, sees_that_a_file_has_changed) {
    for (int i = 0; i < 40; ++i) {
        write("p/" + std::to_string(10 + i) + ".png", png_of(make_picture(32, 32, 3, i)));
    }
    write_photos("{ use = \"center_crop\", size = [32, 32] }");
    expect_success(host(command("out")));
    expect_success(host(command("out")));
    write("p/11.png", png_of(make_picture(32, 32, 3, 99)));
    expect_refused(host(command("out")), 2, {"prepared with source_data = ", "remove the folder"});
}

TEST_F(Prepare, refuses_what_another_program_wrote) {
    write_tiny();
    for (const std::string text : {R"({"inputs": 3, "files": []})", R"({"inputs": {}, "files": 3})", "[]", "{"}) {
        write("out/manifest.json", text);
        expect_refused(host(command("out")), 2, {"out/manifest.json was not written by `host prepare`"});
    }
    fs::remove_all(folder() / "out");
    expect_success(host(command("out")));
    std::string manifest = read_bytes(folder() / "out/manifest.json");
    manifest.replace(manifest.find("\"files\": ["), 10, "\"files\": [3, ");
    write("out/manifest.json", manifest);
    expect_refused(host(command("out")), 2, {"out/manifest.json was not written by `host prepare`"});
}

TEST_F(Prepare, makes_more_files_than_may_be_open_at_first) {
    constexpr rlim_t kOpen = 64;
    write_many();
    const Finished finished = host({"prepare", "tiny.toml", "--out", "out", "--shard-size", "20 kB"});
    expect_success(finished);
    ASSERT_GT(contents("out").size(), kOpen);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit few{.rlim_cur = kOpen, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);  // processes that it starts inherit the limit
    const std::string found = digest_of("train", as_sets(finished.out, "train"));
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(found, digest_of("train", as_sets(finished.out, "train")));
}

// If no source has a weight, each sample comes once.
TEST_F(Prepare, writes_what_several_sources_give) {
    for (int i = 0; i < 5; ++i) {
        write("p/" + std::to_string(i) + ".png", png_of(make_picture(32, 32, 3, i)));
        write("q/" + std::to_string(i) + ".png", png_of(make_picture(32, 32, 3, 10 + i)));
    }
    const auto write_with = [&](const std::string& weight) {
        write_tiny(
            {{R"({ use = "dead_leaves", count = 16, size = [32, 32] })",
              R"([{ use = "photos", folder = "p")" + weight + R"( }, { use = "photos", folder = "q")" + weight + " }]"},
             {"  { use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, angle = 0 },\n",
              "  { use = \"decode\" },\n  { use = \"center_crop\", size = [32, 32] },\n"
              "  { use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, angle = 0 },\n"}});
    };
    write_with("");
    const Finished finished = host(command("out"));
    expect_success(finished);
    expect_contains(finished.err, {"after source 'photos', 'photos'", "10 samples"});
    EXPECT_EQ(digest_of("train", as_sets(finished.out, "train")), digest_of("train", {}));
    write("q/1.png", png_of(make_picture(32, 32, 3, 11)));  // the same bytes, written later
    expect_refused(host(command("out")), 2, {"out/manifest.json", "prepared with source_data = "});
    write_with(", weight = 2.0");
    expect_refused(host(command("other")), 2, {"by weight", "prepare each source by itself"});
}

TEST_F(Prepare, keeps_the_weights_of_samples) {
    write_list("list.csv");
    write_list("more.csv", {2, 3, 4});
    write_weighted({"list.csv", "more.csv"});
    EXPECT_NE(digest_of("train", {}), digest_of("train", {"--set", "data.train.sampling.use=uniform"}));
    expect_same_samples("train");
    const Finished finished = host(command("first"));
    expect_success(finished);
    expect_contains(finished.out, {R"(path = "first", weights = "weight" })"});
    EXPECT_GT(contents("first").size(), 3U);
    const std::string again = expect_output(joined(command("again"), as_sets(finished.out, "train")));
    EXPECT_EQ(digest_of("train", as_sets(again, "train")), digest_of("train", {}));
    expect_refused(host({"drain", "tiny.toml", "--epochs", "1", "--set",
                         R"(data.train.source={ use = "records", path = "first" })"}),
                   2, {"option 'weights' is not set; it names the field"});
}

TEST_F(Prepare, keeps_the_weights_of_those_that_are_not_left_out) {
    write_list("list.csv");
    write_list("good.csv", {3});
    write("p/13.png", png_of(make_picture(64, 64)).substr(0, 200));
    write_weighted({"good.csv"});
    const std::string expected = digest_of("train", {});
    write_weighted({"list.csv"});
    const std::string output = expect_output(command("out", {"--set", "data.skip_bad=1"}));
    EXPECT_EQ(digest_of("train", as_sets(output, "train")), expected);
    const auto whole = contents("out");
    fs::remove(folder() / "out" / std::next(whole.begin())->first);
    expect_success(host(command("out", {"--set", "data.skip_bad=1"})));
    EXPECT_TRUE(contents("out") == whole);
}

TEST_F(Prepare, sees_that_a_weight_has_changed) {
    write_list("list.csv");
    write_weighted({"list.csv"});
    expect_success(host(command("out")));
    expect_refused(host(command("out", {"--set", "data.train.sampling.use=uniform"})), 2,
                   {"out/manifest.json", "prepared with weights_sha256 = \"", "now it is null"});
    write_list("list.csv", {}, 0.7);
    expect_refused(host(command("out")), 2, {"prepared with weights_sha256 = "});
}

TEST_F(Prepare, mixes_with_nothing_else) {
    write_tiny();
    expect_success(host(command("out")));
    write_tiny({{"length = 5, angle = 0 },\n", "length = 6, angle = 0 },\n"}});
    expect_refused(host(command("out")), 2, {"out/manifest.json", "prepared with map = ", "choose another --out"});
    write("other/notes.txt", "of somebody");
    expect_refused(host(command("other")), 2, {"other holds other files, such as 'notes.txt'"});
}

TEST_F(Prepare, refuses_what_cannot_be) {
    write_tiny();
    expect_refused(host(command("out", {"--prefix", "3"})), 2, {"--prefix 3: the chain has 2 transforms"});
    expect_refused(host(command("out", {"--until", "random_flop"})), 2, {"no such transform", "random_flip"});
    expect_refused(host(command("out", {"--format", "zip"})), 2, {"--format zip: one of records, tfrecord"});
    expect_refused(host(command("out", {"--workers", "-1"})), 2, {"--workers -1: a number of threads"});
    expect_refused(host(command("out", {"--workers", "5000"})), 2, {"--workers 5000: a number of threads", "1024"});
    expect_refused(host(command("out", {"--gzip"})), 2, {"--gzip is for --format tfrecord"});
    expect_refused(host(command("out", {"--data", "test"})), 2, {"--data is 'test'; it is train or validation"});
    expect_refused(host(command("out", {"--jpeg", "restart"})), 2, {"jpeg_restart"});
}

TEST_F(Prepare, writes_jpeg_files_with_restarts) {
    write("p/a.jpg", jpeg_of(make_picture(64, 64)));
    write("p/b.png", png_of(make_picture(64, 64)));
    write_tiny({{R"({ use = "dead_leaves", count = 16, size = [32, 32] })", R"({ use = "photos", folder = "p" })"},
                {"  { use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, angle = 0 },\n",
                 "  { use = \"decode\" },\n  { use = \"motion_blur\", length = 5, angle = 0 },\n"}});
    const Finished finished = host(command("out", {"--jpeg", "restart"}));
    expect_success(finished);
    EXPECT_NE(finished.out.find("map = [{ use = \"decode\" }, {"), std::string::npos) << finished.out;
    const std::string file = contents("out").at("train-00000-of-00001.records");
    EXPECT_NE(file.find("SLUICERST1"), std::string::npos);
    EXPECT_NE(file.find(png_of(make_picture(64, 64))), std::string::npos);
    train("run", joined({"--steps", "1", "--set", "data.batch=2"}, as_sets(finished.out, "train")));
}

// Photographs 2 and 5 of 8 are truncated, and each file has room for two samples.
TEST_F(Prepare, leaves_out_as_many_bad_samples_as_may_be) {
    for (int i = 0; i < 8; ++i) {
        const std::string jpeg = jpeg_of(make_picture(64, 64, 3, i));
        write("p/" + std::to_string(i) + ".jpg", i == 2 || i == 5 ? jpeg.substr(0, 200) : jpeg);
    }
    write_tiny({{R"({ use = "dead_leaves", count = 16, size = [32, 32] })", R"({ use = "photos", folder = "p" })"},
                {"  { use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, angle = 0 },\n",
                 "  { use = \"decode\" },\n  { use = \"motion_blur\", length = 5, angle = 0 },\n"}});
    const auto command = [](const std::string& out, int skip_bad) {
        return std::vector<std::string>{
            "prepare",      "tiny.toml", "--out", out,
            "--shard-size", "60 kB",     "--set", "data.skip_bad=" + std::to_string(skip_bad)};
    };
    expect_refused(host(command("none", 0)), 3, {"sample 2 (p/2.jpg)", "'decode'"});
    const Finished finished = host(command("whole", 2));
    expect_success(finished);
    EXPECT_EQ(contents("whole").size(), 5U);
    expect_contains(finished.err, {"sample 2 (p/2.jpg)", "it is left out (bad sample 1 of at most 2)",
                                   "2 bad samples were left out: manifest.json names them", "6 samples"});
    expect_contains(contents("whole").at("manifest.json"), {"\"skipped\"", "\"index\": 5", "sample 2 (p/2.jpg)"});
    EXPECT_EQ(digest_of("train", as_sets(finished.out, "train")).size(), 64U);
    for (int i = 0; i < 2; ++i) {  // bad samples of existing files count
        expect_refused(host(command("out", 1)), 3,
                       {"sample 5 (p/5.jpg)",
                        "that makes 2 bad samples, but data.skip_bad = 1; repair the files or raise data.skip_bad"});
    }
    expect_success(host(command("out", 2)));
    expect_same_files("out", "whole");
}

// Each file has room for one sample.
TEST_F(Prepare, gets_past_a_file_whose_samples_are_all_bad) {
    for (int i = 0; i < 6; ++i) {
        const std::string jpeg = jpeg_of(make_picture(64, 64, 3, i));
        write("p/" + std::to_string(i) + ".jpg", i == 0 || i == 3 ? jpeg.substr(0, 200) : jpeg);
    }
    write_tiny({{R"({ use = "dead_leaves", count = 16, size = [32, 32] })", R"({ use = "photos", folder = "p" })"},
                {"  { use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, angle = 0 },\n",
                 "  { use = \"decode\" },\n  { use = \"motion_blur\", length = 5, angle = 0 },\n"}});
    const auto one_each = [&](const std::string& out, const std::vector<std::string>& more) {
        return host(
            joined({"prepare", "tiny.toml", "--out", out, "--shard-size", "1 kB", "--set", "data.skip_bad=2"}, more));
    };
    const auto expect_four = [&](const std::string& out, const std::vector<std::string>& more) {
        const Finished finished = one_each(out, more);
        expect_success(finished);
        expect_contains(finished.err, {"2 bad samples were left out", "4 samples, ", " in 6 files in " + out});
        EXPECT_EQ(contents(out).size(), 7U);
        expect_output(
            {"plan", "tiny.toml", "--set", "data.batch=2", as_sets(finished.out, "train")[0],
             as_sets(finished.out, "train")[1], as_sets(finished.out, "train")[2], as_sets(finished.out, "train")[3]},
            {"data        4 samples"});
        EXPECT_EQ(digest_of("train", as_sets(finished.out, "train")).size(), 64U);
    };
    expect_four("out", {});
    expect_four("packed", {"--format", "tfrecord", "--gzip"});
    expect_refused(one_each("plain", {"--format", "tfrecord"}), 3,
                   {"plain/train-00000-of-00006.tfrecord: all samples of this file are bad", "--gzip"});
}

TEST_F(Prepare, on_a_full_disk_keeps_what_is_whole) {
    write_many();
    const fs::path disk = folder() / "disk";
    fs::create_directories(disk);
    if (::mount("none", disk.c_str(), "tmpfs", 0, "size=1m") != 0) {
        GTEST_SKIP() << "no file system can be mounted here: " << std::strerror(errno);
    }
    expect_refused(host(command("disk/out")), 8,
                   {"No space left", "files are complete; the same command continues from there"});
    EXPECT_GT(contents("disk/out").size(), 5U);
    EXPECT_EQ(::mount("none", disk.c_str(), "tmpfs", MS_REMOUNT, "size=20m"), 0) << std::strerror(errno);
    expect_success(host(command("disk/out")));
    expect_success(host(command("out")));
    expect_same_files("disk/out", "out");
    ::umount2(disk.c_str(), MNT_DETACH);
}

}  // namespace
}  // namespace sluice::test
