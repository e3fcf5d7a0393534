// The source `records` with files of our own format: reading, and messages about damaged files.
#include "pictures.hpp"
#include "record_formats/damage.hpp"
#include "record_formats/shard_file.hpp"
#include "unit/captured_log.hpp"
#include "unit/datasets/records_test_files.hpp"
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

using records::FieldLayout;
using records::spec_of;

const std::string kRecordsSource = R"(use = "records", path = "r")";

std::vector<FieldLayout> layouts(records::TileExtent tile) {
    return {{.name = "sharp", .role = SLUICE_FIELD_IMAGE, .spec = spec_of(kUint8, {-1, -1, 3}), .tile = tile},
            {.name = "file", .role = SLUICE_FIELD_ENCODED, .spec = spec_of(kUint8, {-1})},
            {.name = "label", .role = SLUICE_FIELD_CLASS, .spec = spec_of(kInt64, {})}};
}

// Sample i: a picture of (40 + i) x (50 - i) pixels, a text, and the label i.
struct Content {
    explicit Content(int i)
        : picture(test::make_picture(40 + i, 50 - i, 3, i)), text("file " + std::to_string(i)), label(i) {}
    test::Picture picture;
    std::string text;
    std::int64_t label;
};

class Records : public SourceTest {
protected:
    static std::string shard_of(int first, int count, records::TileExtent tile = {16, 24}) {
        records::TextSink sink;
        const std::vector<FieldLayout> fields = layouts(tile);
        records::ShardWriter writer(sink, fields);
        for (int i = first; i < first + count; ++i) {
            const Content content(i);
            writer.add(records::pack_sample(
                std::to_string(i) + ".jpg", fields,
                {{.spec = spec_of(kUint8, {content.picture.height, content.picture.width, 3}),
                  .bytes = content.picture.pixels.data()},
                 {.spec = spec_of(kUint8, {static_cast<std::int64_t>(content.text.size())}),
                  .bytes = reinterpret_cast<const std::uint8_t*>(content.text.data())},
                 {.spec = spec_of(kInt64, {}), .bytes = reinterpret_cast<const std::uint8_t*>(&content.label)}}));
        }
        writer.finish("{}");
        return sink.text;
    }
    static void expect_contents(const Chain& chain, int first, int count) {
        ASSERT_EQ(chain.length(), static_cast<std::uint64_t>(count));
        Chain::Worker worker(chain);
        for (int i = 0; i < count; ++i) {
            const Content content(first + i);
            const Sample& sample = worker.make(0, static_cast<std::uint64_t>(i));
            EXPECT_EQ(sample.name, std::to_string(first + i) + ".jpg");
            EXPECT_TRUE(sample.fields[0].tensor.spec ==
                        make_spec(kUint8, {content.picture.height, content.picture.width, 3}));
            EXPECT_EQ(bytes_of(sample.fields[0]), content.picture.pixels);
            const std::vector<std::uint8_t> text = bytes_of(sample.fields[1]);
            EXPECT_EQ(std::string(text.begin(), text.end()), content.text);
            EXPECT_EQ(sample.fields[2].tensor.as<std::int64_t>()[0], content.label);
        }
    }
    static Chain chain() { return make_chain("source = { " + kRecordsSource + " }"); }
    // Reads all samples and returns the message about the first that cannot be read.
    static std::string failure() {
        return error_of([&] {
            const Chain all = chain();
            Chain::Worker worker(all);
            for (std::uint64_t i = 0; i < all.length(); ++i) {
                worker.make(0, i);
            }
        });
    }
};

TEST_F(Records, hold_names_and_bytes_of_every_field) {
    for (const records::TileExtent tile : {records::TileExtent{0, 0}, {1, 1}, {16, 24}, {40, 50}, {100, 100}}) {
        write("r/a.records", shard_of(0, 4, tile));
        expect_contents(chain(), 0, 4);
    }
}

TEST_F(Records, begin_at_multiples_of_64_bytes) {
    const std::string shard = shard_of(0, 3, {0, 0});
    for (int i = 0; i < 3; ++i) {
        const Content content(i);
        const std::string pixels(content.picture.pixels.begin(), content.picture.pixels.end());
        EXPECT_EQ(shard.find(pixels) % 64, 0U);
        EXPECT_EQ(shard.find(content.text) % 64, 0U);
    }
}

TEST_F(Records, of_several_files_follow_each_other) {
    write("r/t-00000-of-00002.records", shard_of(0, 3));
    write("r/t-00001-of-00002.records", shard_of(3, 2));
    expect_contents(chain(), 0, 5);
    std::filesystem::remove("r/t-00000-of-00002.records");
    expect_contains(refusal(kRecordsSource), {"3 ", "r/t-00000-of-00002.records is missing: of 2 shards 1"});
}

// Fields and samples begin at multiples of 64 bytes. The bytes between them have no meaning.
TEST_F(Records, with_a_flipped_byte_are_named_wherever_it_is) {
    const std::string whole = shard_of(0, 2);
    const std::string first_end = "file 0";
    for (std::size_t at = 0; at < whole.size(); at += 59) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
        write("r/a.records", damaged);
        const std::string message = failure();
        if (message == "nothing was thrown") {
            expect_contents(chain(), 0, 2);
            EXPECT_EQ(whole[at], '\0');
        } else {
            expect_contains(message, {"3 ", "r/a.records"});
        }
    }
    std::string damaged = whole;
    damaged[whole.find(first_end)] = 'F';
    write("r/a.records", damaged);
    expect_contains(failure(), {"sample 0 (0.jpg)", "r/a.records: field 'file' of sample 0, 6 bytes from byte",
                                std::to_string(whole.find(first_end)), "does not fit its checksum"});
}

TEST_F(Records, that_are_torn_are_named_at_once) {
    const std::string whole = shard_of(0, 2);
    for (std::size_t left = 64; left < whole.size(); left += 97) {
        write("r/a.records", whole.substr(0, left));
        expect_contains(refusal(kRecordsSource), {"3 ", "r/a.records: the file is torn"});
    }
    write("r/a.records", whole.substr(0, 1000) + whole.substr(1064));
    expect_contains(refusal(kRecordsSource), {"3 ", "r/a.records: the file is torn: it has"});
    write("r/a.records", "");
    expect_contains(refusal(kRecordsSource), {"3 ", "r/a.records: 0 bytes"});
    write("r/a.records", "not of them, but long enough to be so");
    expect_contains(refusal(kRecordsSource),
                    {"3 ", "r/a.records: not a file of records but text that begins with 'not"});
}

TEST_F(Records, that_are_torn_or_empty_may_be_let_pass) {
    const std::string whole = shard_of(0, 2);
    write("r/a.records", "");
    write("r/b.records", whole);
    write("r/c.records", whole.substr(0, 1000));
    const CapturedLog log;
    const Chain all = chain();
    ASSERT_EQ(all.length(), 4U);
    Chain::Worker worker(all);
    EXPECT_EQ(worker.make(0, 1).name, "0.jpg");
    EXPECT_EQ(worker.make(0, 2).name, "1.jpg");
    expect_contains(error_of([&] { worker.make(0, 0); }), {"3 data.train: sample 0: ", "r/a.records: 0 bytes"});
    expect_contains(error_of([&] { worker.make(0, 3); }),
                    {"3 data.train: sample 3: ", "r/c.records: the file is torn"});
    const std::string source = "source = { " + kRecordsSource + " }\nmap = [";
    const Chain pushed = make_chain(source + R"({ use = "center_crop", size = [4, 4] }])");
    Chain::Worker crops(pushed);
    EXPECT_EQ(crops.make(0, 1).fields.front().tensor.bytes.size(), 48U);
    expect_contains(error_of([&] { crops.make(0, 3); }), {"3 data.train: sample 3: ", "r/c.records: the file is torn"});
    expect_contains(log.take(), {"r/a.records: 0 bytes", "r/c.records: the file is torn",
                                 "the unreadable part of this file counts as one bad sample"});
}

TEST_F(Records, that_are_cut_off_while_they_are_read_are_named) {
    write("r/a.records", shard_of(0, 2));
    const Chain before = chain();
    std::filesystem::resize_file("r/a.records", 5000);
    expect_contains(error_of([&] { Chain::Worker(before).make(0, 1); }),
                    {"3 ", "(1.jpg)", "r/a.records", "was cut off since it was opened"});
}

TEST_F(Records, give_windows_and_check_what_these_touch) {
    const Content content(1);
    const std::int64_t width = content.picture.width;
    std::string shard = shard_of(1, 1);
    const auto window = [](const records::Area& area) {
        std::vector<std::uint8_t> pixels(static_cast<std::size_t>(area.height * area.width * 3));
        records::Bytes scratch;
        records::ShardFile("a.records").read(0, 0, area, pixels.data(), scratch);
        return pixels;
    };
    write("a.records", shard);
    for (const records::Area& area :
         {records::Area{0, 0, 1, 1}, {15, 23, 2, 2}, {16, 24, 16, 24}, {40, 48, 1, 1}, {3, 5, 30, 40}}) {
        std::vector<std::uint8_t> expected;
        for (std::int64_t y = area.top; y < area.top + area.height; ++y) {
            const auto from = content.picture.pixels.begin() + (y * width + area.left) * 3;
            expected.insert(expected.end(), from, from + area.width * 3);
        }
        EXPECT_EQ(window(area), expected) << area.top << " " << area.left;
    }
    shard[64 + 5] = static_cast<char>(shard[64 + 5] ^ 1);  // a byte of the first tile
    write("a.records", shard);
    EXPECT_EQ(window({16, 0, 4, 4}).size(), 48U);
    EXPECT_THROW(window({15, 0, 4, 4}), records::Damage);
}

// If a cache comes before the crop, the whole picture is read.
TEST_F(Records, whose_crop_reads_its_tiles_alone_give_the_same_samples) {
    write("r/a.records", shard_of(0, 3));
    write("r/b.records", shard_of(3, 2));
    const auto chain_of = [](const std::string& map) {
        return make_chain("source = { " + kRecordsSource + " }\nmap = [" + map + ", { use = \"random_flip\" }]");
    };
    for (const std::string crop : {R"({ use = "random_crop", size = [17, 23] })",
                                   R"({ use = "random_resized_crop", size = [16, 16], area = [0.1, 0.5] })",
                                   R"({ use = "resize", size = [20, 20] })"}) {
        const Chain pushed = chain_of(crop);
        const Chain whole = chain_of(R"({ use = "cache" }, )" + crop);
        Chain::Worker of_pushed(pushed);
        Chain::Worker of_whole(whole);
        for (std::uint64_t i = 0; i < 50; ++i) {
            const Sample& expected = of_whole.make(i / 5, i % 5);
            const Sample& found = of_pushed.make(i / 5, i % 5);
            EXPECT_EQ(found.name, expected.name);
            for (std::size_t field = 0; field < expected.fields.size(); ++field) {
                ASSERT_EQ(bytes_of(found.fields[field]), bytes_of(expected.fields[field])) << crop << i;
            }
        }
    }
}

TEST_F(Records, whose_crop_reads_its_tiles_alone_do_not_see_damage_elsewhere) {
    std::string shard = shard_of(0, 1);
    shard[64 + 5] = static_cast<char>(shard[64 + 5] ^ 1);  // a byte of the first tile
    write("r/a.records", shard);
    const std::string source = "source = { " + kRecordsSource + " }\nmap = [";
    const Chain pushed = make_chain(source + R"({ use = "center_crop", size = [4, 4] }])");
    EXPECT_EQ(Chain::Worker(pushed).make(0, 0).fields.front().tensor.bytes.size(), 48U);
    const Chain whole = make_chain(source + R"({ use = "cache" }, { use = "center_crop", size = [4, 4] }])");
    expect_contains(error_of([&] { Chain::Worker(whole).make(0, 0); }), {"3 ", "0.jpg", "field 'sharp'"});
    const Chain touching = make_chain(source + R"({ use = "center_crop", size = [30, 30] }])");
    expect_contains(error_of([&] { Chain::Worker(touching).make(0, 0); }), {"3 ", "0.jpg", "field 'sharp'"});
}

TEST_F(Records, whose_crop_does_not_fit_are_named) {
    write("r/a.records", shard_of(0, 2));
    const Chain chain =
        make_chain("source = { " + kRecordsSource + " }\nmap = [{ use = \"random_crop\", size = [41, 20] }]");
    expect_contains(error_of([&] { Chain::Worker(chain).make(0, 0); }),
                    {"3 data.train: sample 0 (0.jpg): ", "the image is 50x40, smaller than the patch of 20x41"});
}

TEST_F(Records, with_and_without_tiles_are_read_whole) {
    write("r/a.records", shard_of(0, 1));
    write("r/b.records", shard_of(1, 1, {0, 0}));
    const Chain chain =
        make_chain("source = { " + kRecordsSource + " }\nmap = [{ use = \"center_crop\", size = [40, 49] }]");
    Chain::Worker worker(chain);
    for (const std::uint64_t i : {0, 1}) {
        EXPECT_EQ(worker.make(0, i).fields.front().tensor.bytes.size(), 40U * 49U * 3U);
    }
}

TEST_F(Records, without_tiles_are_read_whole) {
    write("r/a.records", shard_of(0, 2, {0, 0}));
    const Chain chain =
        make_chain("source = { " + kRecordsSource + " }\nmap = [{ use = \"center_crop\", size = [40, 49] }]");
    const Content content(1);
    EXPECT_EQ(Chain::Worker(chain).make(0, 1).fields.front().tensor.bytes.size(), 40U * 49U * 3U);
}

TEST_F(Records, are_not_decoded_smaller) {
    write("r/a.records", shard_of(0, 1));
    const std::string map = R"(map = [{ use = "resize", size = [8, 8], dct_scaling = true }])";
    expect_contains(error_of([&] { make_chain("source = { " + kRecordsSource + " }\n" + map); }),
                    {"2 ", "option 'dct_scaling' needs the decoder right before"});
}

TEST_F(Records, tell_their_classes) {
    write("r/a.records", shard_of(0, 2));
    write("r/b.records", shard_of(5, 1));
    config::StreamSpec spec = stream_spec("source = { " + kRecordsSource + " }");
    spec.sampling.use = config::SamplingKind::classes;
    spec.sampling.weights = {0, 3, 0, 0, 0, 1};
    const Chain chain(spec, test_registry(), 1, "data.train");
    ASSERT_NE(chain.draws().weight_sums, nullptr);
    EXPECT_EQ(*chain.draws().weight_sums, (std::vector<double>{0, 3, 4}));
}

// A sample that cannot be read has no known class. It counts to the first known class, and is bad when it is drawn.
TEST_F(Records, that_are_damaged_may_be_let_pass_by_balanced_sampling) {
    write("r/a.records", "");
    write("r/b.records", shard_of(5, 1));
    write("r/c.records", shard_of(3, 1));
    config::StreamSpec spec = stream_spec("source = { " + kRecordsSource + " }");
    spec.sampling.use = config::SamplingKind::balanced;
    const Chain chain(spec, test_registry(), 1, "data.train");
    EXPECT_EQ(*chain.draws().weight_sums, (std::vector<double>{0.5, 1, 2}));
    LoaderOptions options{.batch = 3, .workers = 1, .shuffle = true, .skip_bad = 1, .fields = {"label"}};
    Loader loader(chain, options);
    EXPECT_EQ(dump_next(loader, 6).size(), 6U);
    EXPECT_EQ(loader.state().bad_samples, (std::vector<std::uint64_t>{0}));
    options.skip_bad = 0;
    Loader strict(chain, options);
    expect_contains(error_of([&] { dump_next(strict, 6); }), {"3 data.train: sample 0: ", "r/a.records: 0 bytes"});
}

TEST_F(Records, of_missing_shards_may_be_let_pass_by_balanced_sampling) {
    write("r/a-00000-of-00003.records", shard_of(5, 1));
    write("r/a-00002-of-00003.records", shard_of(3, 1));
    expect_missing(kRecordsSource, {2}, "r/a-00001-of-00003.records is missing: of 3 shards 2 are there");
    config::StreamSpec spec = stream_spec("source = { " + kRecordsSource + ", missing_is_bad = true }");
    spec.sampling.use = config::SamplingKind::balanced;
    const Chain chain(spec, test_registry(), 1, "data.train");
    EXPECT_EQ(*chain.draws().weight_sums, (std::vector<double>{0.5, 1.5, 2}));
}

TEST_F(Records, of_missing_shards_alone_have_no_classes) {
    write("r/a-00000-of-00002.records", shard_of(0, 0));
    config::StreamSpec spec = stream_spec("source = { " + kRecordsSource + ", missing_is_bad = true }");
    spec.sampling.use = config::SamplingKind::balanced;
    expect_contains(
        error_of([&] { const Chain unused(spec, test_registry(), 1, "data.train"); }),
        {"3 ",
         "r/a-00001-of-00002.records is missing: of 2 shards 1 is there, and the existing shards hold no sample"});
}

TEST_F(Records, of_classes_with_large_numbers_come_as_often) {
    records::TextSink sink;
    const std::vector<FieldLayout> fields{
        {.name = "label", .role = SLUICE_FIELD_CLASS, .spec = spec_of(kInt64, {}), .tile = {}}};
    records::ShardWriter writer(sink, fields);
    constexpr std::int64_t kLarge = std::int64_t{1} << 60;
    for (const std::int64_t label : {kLarge, kLarge, std::int64_t{3}}) {
        writer.add(records::pack_sample(
            "a", fields, {{.spec = fields[0].spec, .bytes = reinterpret_cast<const std::uint8_t*>(&label)}}));
    }
    writer.finish("{}");
    write("r/a.records", sink.text);
    config::StreamSpec spec = stream_spec("source = { " + kRecordsSource + " }");
    spec.sampling.use = config::SamplingKind::balanced;
    const Chain chain(spec, test_registry(), 1, "data.train");
    EXPECT_EQ(*chain.draws().weight_sums, (std::vector<double>{0.5, 1, 2}));
}

// Returns a file with the fields "a" and "weight".
std::string weighted(const std::vector<double>& weights, sluice_dtype dtype = kFloat64) {
    const std::vector<FieldLayout> fields{
        {.name = "a", .role = SLUICE_FIELD_TENSOR, .spec = spec_of(kFloat64, {}), .tile = {}},
        {.name = "weight", .role = SLUICE_FIELD_TENSOR, .spec = spec_of(dtype, {}), .tile = {}}};
    records::TextSink sink;
    records::ShardWriter writer(sink, fields);
    for (const double& weight : weights) {
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&weight);
        writer.add(
            records::pack_sample("x.jpg", fields, {{.spec = fields[0].spec, .bytes = bytes}, {fields[1].spec, bytes}}));
    }
    writer.finish("{}");
    return sink.text;
}

// A sample that cannot be read gets the mean weight of the others.
TEST_F(Records, tell_their_weights) {
    const std::string source = kRecordsSource + R"(, weights = "weight", missing_is_bad = true)";
    write("r/a-00000-of-00003.records", weighted({1, 4}));
    write("r/a-00001-of-00003.records", "");
    const std::string hundredth = weighted({0.01});
    write("r/a-00002-of-00003.records", hundredth);
    config::StreamSpec spec = stream_spec("source = { " + source + " }");
    spec.sampling.use = config::SamplingKind::weights;
    const auto sums = [&] { return *Chain(spec, test_registry(), 1, "data.train").draws().weight_sums; };
    EXPECT_EQ(sums(), (std::vector<double>{1, 5, 5 + 5.01 / 3, 5 + 5.01 / 3 + 0.01}));
    std::filesystem::remove("r/a-00002-of-00003.records");
    EXPECT_EQ(sums(), (std::vector<double>{1, 5, 7.5, 10}));
    const Chain chain(spec, test_registry(), 1, "data.train");
    ASSERT_EQ(chain.fields().size(), 1U);
    EXPECT_EQ(Chain::Worker(chain).make(0, 1).fields[0].tensor.as<double>()[0], 4);
    write("r/a-00002-of-00003.records", weighted({-2}));
    expect_contains(error_of(sums), {"3 ", "r/a-00002-of-00003.records: field 'weight' of x.jpg is -2.0",
                                     "a weight is a number of at least 0"});
}

TEST_F(Records, without_the_weights_that_are_named_are_refused) {
    write("r/a.records", weighted({1}, kInt64));
    for (const std::string name : {"weight", "often"}) {
        expect_contains(refusal(kRecordsSource + ", weights = \"" + name + "\""),
                        {"2 ", "option 'weights': r/a.records has no field '" + name + "' that is one number"});
    }
}

TEST_F(Records, that_are_kept_on_disk_are_made_again_when_a_file_has_changed) {
    const auto first_pixel = [] {
        const Chain chain = make_chain("source = { " + kRecordsSource +
                                       " }\nmap = [{ use = \"cache\", in = \"disk\", folder = \"kept\" }]");
        return bytes_of(Chain::Worker(chain).make(0, 0).fields[2]).front();
    };
    write("r/a.records", shard_of(0, 1));
    EXPECT_EQ(first_pixel(), 0);
    write("r/a.records", shard_of(7, 1));
    EXPECT_EQ(first_pixel(), 7);
}

TEST_F(Records, of_a_newer_version_are_refused) {
    std::string newer = shard_of(0, 1);
    newer[8] = 2;
    write("r/a.records", newer);
    expect_contains(refusal(kRecordsSource),
                    {"3 ", "r/a.records: version 2 of the format; this program reads version 1"});
}

TEST_F(Records, do_not_mix_with_other_files) {
    write("r/a.records", shard_of(0, 1));
    write("r/b.tfrecord", records::tfrecords_of({records::labelled("\xFF\xD8\xFF", 1)}));
    expect_contains(refusal(kRecordsSource), {"3 ", "are of different formats"});
    std::filesystem::remove("r/b.tfrecord");
    expect_contains(refusal(kRecordsSource + R"(, fields = ["a"], kinds = ["class"])"),
                    {"2 ", "option 'fields' is for TFRecord"});
}

}  // namespace
}  // namespace sluice::data
