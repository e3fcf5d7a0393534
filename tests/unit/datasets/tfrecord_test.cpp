// The source `records` with TFRecord files: reading, and messages about damaged files.
#include <algorithm>
#include <random>
#include <set>

#include "record_formats/tfrecord.hpp"
#include "tfrecord_frames/crc32c.hpp"
#include "unit/captured_log.hpp"
#include "unit/datasets/records_test_files.hpp"
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

using records::Bytes;
using records::gzip_of;
using records::labelled;
using records::tfrecords_of;

const std::string kJpeg = "\xFF\xD8\xFF picture ";
const std::string kTfRecordSource = R"(use = "records", path = "r")";

class TfRecords : public SourceTest {
protected:
    static std::string file_of(int first, int count) {
        std::vector<Bytes> messages;
        for (int i = first; i < first + count; ++i) {
            messages.push_back(labelled(kJpeg + std::to_string(i), i));
        }
        return tfrecords_of(messages);
    }
    static std::vector<std::int64_t> numbers(const std::string& source) {
        std::vector<std::int64_t> all;
        for (const auto& [name, number] : samples(source)) {
            all.push_back(number);
        }
        return all;
    }
    static std::string text_of(const Chain& chain, std::uint64_t index) {
        Chain::Worker worker(chain);
        const std::vector<std::uint8_t> bytes = data::bytes_of(worker.make(0, index).fields.front());
        return {bytes.begin(), bytes.end()};
    }
    static std::string failure(std::uint64_t index, const std::string& source = kTfRecordSource) {
        const Chain chain = make_chain("source = { " + source + " }");
        return error_of([&] { Chain::Worker(chain).make(0, index); });
    }
};

// The expected values are those of RFC 3720, B.4.
TEST_F(TfRecords, are_summed_as_the_standard_says) {
    EXPECT_EQ(tfrecord_frames::crc32c(Bytes(32, 0)), 0x8A9136AAU);
    EXPECT_EQ(tfrecord_frames::crc32c(Bytes(32, 0xFF)), 0x62A8AB43U);
    EXPECT_EQ(tfrecord_frames::crc32c(records::bytes_of("123456789")), 0xE3069283U);
}

TEST_F(TfRecords, give_the_usual_features_without_a_word) {
    write("r/a.tfrecord", file_of(0, 5));
    const Chain chain = make_chain("source = { " + kTfRecordSource + " }");
    ASSERT_EQ(chain.length(), 5U);
    EXPECT_EQ(chain.fields()[0].name, "image");
    EXPECT_EQ(chain.fields()[0].role, SLUICE_FIELD_ENCODED);
    EXPECT_EQ(chain.fields()[1].name, "label");
    EXPECT_EQ(chain.fields()[1].role, SLUICE_FIELD_CLASS);
    EXPECT_EQ(text_of(chain, 3), kJpeg + "3");
    EXPECT_EQ(numbers(kTfRecordSource), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(numbers(kTfRecordSource + ", limit = 2"), (std::vector<std::int64_t>{0, 1}));
}

TEST_F(TfRecords, of_several_shards_follow_each_other) {
    write("r/t-00001-of-00003.tfrecord", file_of(2, 3));
    write("r/t-00000-of-00003.tfrecord", file_of(0, 2));
    write("r/t-00002-of-00003.tfrecord", file_of(5, 1));
    write("r/readme.txt", "not of them");
    EXPECT_EQ(numbers(kTfRecordSource), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(numbers(R"(use = "records", path = "r/t-*-of-00003*")"), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
    std::filesystem::remove("r/t-00001-of-00003.tfrecord");
    expect_contains(refusal(kTfRecordSource),
                    {"3 ", "r/t-00001-of-00003.tfrecord is missing: of 3 shards 2 are there"});
    EXPECT_EQ(numbers(kTfRecordSource + ", missing_shards = true"), (std::vector<std::int64_t>{0, 1, 5}));
}

// A missing shard counts as one sample, after the samples of existing shards.
TEST_F(TfRecords, of_missing_shards_may_count_as_bad_samples) {
    write("r/t-00000-of-00003.tfrecord", file_of(0, 2));
    write("r/t-00002-of-00003.tfrecord", file_of(5, 1));
    expect_missing(kTfRecordSource, {3}, "r/t-00001-of-00003.tfrecord is missing: of 3 shards 2 are there");
    std::filesystem::remove("r/t-00002-of-00003.tfrecord");
    expect_missing(kTfRecordSource, {2, 3},
                   "r/t-00001-of-00003.tfrecord is missing: of 3 shards 1 is there (and 1 more)");
    expect_contains(refusal(kTfRecordSource), {"missing_shards = true leaves missing files out"});
    EXPECT_EQ(bad_samples(kTfRecordSource + ", missing_is_bad = true, limit = 2", 0), (std::vector<std::uint64_t>{}));
    expect_contains(refusal(kTfRecordSource + ", missing_is_bad = true, missing_shards = true"),
                    {"2 ", "exclude each other"});
}

// Numbers may all have as many digits as the greatest one, or at least five.
TEST_F(TfRecords, of_missing_shards_are_named_with_as_many_digits_as_the_others) {
    write("r/t-000000-of-100002.tfrecord", file_of(0, 1));
    write("r/t-100001-of-100002.tfrecord", file_of(1, 1));
    expect_contains(
        refusal(kTfRecordSource),
        {"3 ", "r/t-000001-of-100002.tfrecord is missing: of 100002 shards 2 are there", "(and 99999 more)"});
    std::filesystem::rename("r/t-000000-of-100002.tfrecord", "r/t-00000-of-100002.tfrecord");
    expect_contains(refusal(kTfRecordSource), {"r/t-00001-of-100002.tfrecord is missing", "(and 99999 more)"});
    EXPECT_EQ(numbers(kTfRecordSource + ", missing_shards = true"), (std::vector<std::int64_t>{0, 1}));
}

TEST_F(TfRecords, packed_with_gzip_are_read_in_any_order) {
    std::vector<std::string> pictures;
    std::vector<Bytes> messages;
    std::mt19937 draws(1);
    for (int i = 0; i < 40; ++i) {  // 4 MB, for several entry points
        std::string noise(100000, '\0');
        std::ranges::generate(noise, [&] { return static_cast<char>(draws()); });
        pictures.push_back(kJpeg + noise);
        messages.push_back(labelled(pictures.back(), i));
    }
    const std::string plain = tfrecords_of(messages);
    const std::size_t middle = plain.size() / 2;  // inside a record
    write("r/a.tfrecord.gz", gzip_of(plain.substr(0, middle)) + gzip_of(plain.substr(middle)));
    const Chain chain = make_chain("source = { " + kTfRecordSource + " }");
    ASSERT_EQ(chain.length(), 40U);
    for (const std::size_t i : {39U, 0U, 20U, 19U, 11U}) {
        EXPECT_EQ(text_of(chain, i), pictures[i]);
    }
}

// The file has 12 MB. Without a bound, there is an entry point for decompression about every MiB.
TEST_F(TfRecords, packed_with_gzip_have_few_ways_in_however_large_they_are) {
    std::vector<Bytes> messages;
    for (int i = 0; i < 120; ++i) {
        messages.push_back(labelled(kJpeg + std::string(100000, static_cast<char>(i)), i));
    }
    write("a.tfrecord.gz", gzip_of(tfrecords_of(messages)));
    for (const auto& [most, found] : {std::pair(100, 11), std::pair(4, 3), std::pair(2, 2), std::pair(1, 1)}) {
        const records::TfRecordFile file("a.tfrecord.gz", static_cast<std::size_t>(most));
        EXPECT_EQ(file.ways_in(), static_cast<std::size_t>(found));
        Bytes scratch;
        for (const std::size_t i : {119U, 0U, 60U, 59U}) {
            const records::ByteSpan bytes = file.read(i, scratch);
            EXPECT_TRUE(std::ranges::equal(bytes, messages[i])) << most << " ways in, record " << i;
        }
    }
}

// A weight is a text, an integer or a float, in plain or gzip files. Damaged records get the mean of the others.
TEST_F(TfRecords, tell_their_weights) {
    records::ExampleWriter writer;
    writer.add_integer("label", 1);
    const auto text = [&](const std::string& weight) {
        records::ExampleWriter other = writer;
        other.add_bytes("weight", records::bytes_of(weight));
        return other.message();
    };
    writer.add_integer("weight", 3);
    const Bytes integer = writer.message();
    const std::string half("\n\x14\n\x12\n\x06weight\x12\x08\x12\x06\n\x04\0\0\0\x3F", 22);  // a protocol buffer
    const Bytes real(half.begin(), half.end());
    config::StreamSpec spec = stream_spec("source = { " + kTfRecordSource + R"(, weights = "weight" })");
    spec.sampling.use = config::SamplingKind::weights;
    const auto sums = [&] { return *Chain(spec, test_registry(), 1, "data.train").draws().weight_sums; };
    std::string damaged = tfrecords_of({text("9")});
    damaged.back() ^= 1;
    for (const bool packed : {false, true}) {
        std::filesystem::remove_all("r");
        const std::string first = tfrecords_of({text("0.1"), integer}) + damaged + tfrecords_of({real});
        write("r/a.tfrecord", packed ? gzip_of(first) : first);
        write("r/b.tfrecord", tfrecords_of({text("1e-1")}));
        const double mean = 3.7 / 4;
        const std::vector<double> expected{0.1, 3, mean, 0.5, 0.1};
        const std::vector<double> found = sums();
        double sum = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_DOUBLE_EQ(found.at(i), sum += expected[i]) << i;
        }
        for (const auto& [wrong, reason] : std::map<std::string, std::string>{
                 {"nan", "is nan; a weight is a number of at least 0"}, {"much", "is 'much'; a number is needed"}}) {
            write("r/b.tfrecord", tfrecords_of({text(wrong)}));
            expect_contains(error_of(sums), {"3 ", "r/b.tfrecord, record 0 at byte 0: feature 'weight' " + reason});
        }
    }
    write("r/b.tfrecord", file_of(0, 1));
    expect_contains(error_of(sums),
                    {"r/b.tfrecord, record 0 at byte 0: feature 'weight' of type float_list is needed"});
}

TEST_F(TfRecords, that_tensorflow_wrote_are_read) {
    const std::vector<std::pair<int, int>> sizes = {{4, 5}, {3, 7}, {1, 2}};
    for (const char* const name : {"pictures.tfrecord", "pictures.tfrecord.gz"}) {
        const std::string file = std::string(SLUICE_TENSORFLOW_FILES) + "/" + name;
        const Chain chain =
            make_chain(R"(source = { use = "records", path = ")" + file + "\" }\nmap = [{ use = \"decode\" }]\n");
        ASSERT_EQ(chain.length(), sizes.size()) << name;
        Chain::Worker worker(chain);
        for (std::size_t n = 0; n < sizes.size(); ++n) {
            const Sample& sample = worker.make(0, n);
            std::vector<std::uint8_t> pixels;
            for (int y = 0; y < sizes[n].first; ++y) {
                for (int x = 0; x < sizes[n].second; ++x) {
                    for (int c = 0; c < 3; ++c) {
                        pixels.push_back(
                            static_cast<std::uint8_t>(31 * static_cast<int>(n) + 17 * y + 5 * x + 101 * c));
                    }
                }
            }
            EXPECT_EQ(data::bytes_of(sample.fields[0]), pixels) << name << ", " << n;
            EXPECT_EQ(sample.fields[1].tensor.as<std::int64_t>()[0], static_cast<std::int64_t>(n) + 1);
        }
    }
}

TEST_F(TfRecords, with_other_features_need_their_names) {
    records::ExampleWriter writer;
    writer.add_bytes("picture", records::bytes_of("abcdef"));
    writer.add_integer("picture/height", 1);
    writer.add_integer("picture/width", 2);
    writer.add_integer("picture/channels", 3);
    writer.add_integer("kind", 7);
    write("r/a.tfrecord", tfrecords_of({writer.message()}));
    expect_contains(refusal(kTfRecordSource),
                    {"2 ", "which features are fields", "picture (bytes_list)", "kind (int64_list)"});
    const std::string named = R"(, fields = ["sharp", "label"], features = ["picture", "kind"])";
    const std::string kinds = R"(, kinds = ["image", "class"], first_class = 1)";
    expect_contains(refusal(kTfRecordSource + named), {"2 ", "'fields' has 2 items, 'features' 2 and 'kinds' 0"});
    EXPECT_EQ(numbers(kTfRecordSource + named + kinds), std::vector<std::int64_t>{6});
    const Chain chain = make_chain("source = { " + kTfRecordSource + named + kinds + " }");
    EXPECT_TRUE(chain.fields()[0].spec == make_spec(kUint8, {-1, -1, 3}));
    Chain::Worker worker(chain);
    EXPECT_TRUE(worker.make(0, 0).fields[0].tensor.spec == make_spec(kUint8, {1, 2, 3}));
    EXPECT_EQ(text_of(chain, 0), "abcdef");
}

TEST_F(TfRecords, with_pictures_of_other_channels_are_named) {
    const auto picture = [](std::int64_t channels) {
        records::ExampleWriter writer;
        writer.add_bytes("picture", Bytes(static_cast<std::size_t>(2 * channels)));
        writer.add_integer("picture/height", 1);
        writer.add_integer("picture/width", 2);
        writer.add_integer("picture/channels", channels);
        return writer.message();
    };
    write("r/a.tfrecord", tfrecords_of({picture(3), picture(1)}));
    const std::string named = R"(, fields = ["picture"], kinds = ["image"])";
    expect_contains(failure(1, kTfRecordSource + named),
                    {"3 data.train: sample 1 (r/a.tfrecord, record 1", "'picture' has 1"});
}

TEST_F(TfRecords, that_lack_a_feature_are_named) {
    records::ExampleWriter other;
    other.add_bytes("image/encoded", records::bytes_of(kJpeg));
    write("r/a.tfrecord", tfrecords_of({labelled(kJpeg, 1), other.message()}));
    expect_contains(failure(1),
                    {"3 ", "r/a.tfrecord, record 1 at byte", "feature 'image/class/label' of type int64_list"});
}

TEST_F(TfRecords, with_a_flipped_byte_are_named_wherever_it_is) {
    const std::string whole = file_of(0, 3);
    const std::size_t one = whole.size() / 3;
    for (std::size_t at = 0; at < one; ++at) {  // at a byte of the second record
        std::string damaged = whole;
        damaged[one + at] = static_cast<char>(damaged[one + at] ^ 0x10);
        write("r/a.tfrecord", damaged);
        if (at < 12) {
            expect_contains(failure(1), {"3 ", "sample 1", "r/a.tfrecord: record 1 at byte " + std::to_string(one),
                                         "the checksum of its length does not fit"});
            EXPECT_EQ(make_chain("source = { " + kTfRecordSource + " }").length(),
                      2U);  // the next record cannot be found
        } else {
            expect_contains(failure(1), {"3 ", "sample 1", "r/a.tfrecord: record 1 at byte " + std::to_string(one),
                                         "does not fit"});
            EXPECT_EQ(text_of(make_chain("source = { " + kTfRecordSource + " }"), 2), kJpeg + "2");
        }
    }
}

TEST_F(TfRecords, that_are_cut_off_or_empty_are_named) {
    const std::string whole = file_of(0, 2);
    for (const std::size_t left : {whole.size() - 1, whole.size() / 2 + 1, whole.size() / 2 + 13}) {
        write("r/a.tfrecord", whole.substr(0, left));
        const std::string error = failure(1);
        expect_contains(error, {"3 ", "record 1 at byte " + std::to_string(whole.size() / 2), "cut off"});
        EXPECT_EQ(error.find("r/a.tfrecord"), error.rfind("r/a.tfrecord")) << error;
        EXPECT_EQ(text_of(make_chain("source = { " + kTfRecordSource + " }"), 0), kJpeg + "0");
    }
    write("r/a.tfrecord", whole.substr(0, whole.size() / 2 - 1));
    expect_contains(refusal(kTfRecordSource), {"3 ", "r/a.tfrecord: record 0 at byte 0 is cut off"});
    write("r/a.tfrecord", "");
    expect_contains(refusal(kTfRecordSource), {"3 ", "r/a.tfrecord: 0 bytes"});
    write("r/a.tfrecord", "a text of some length, but no records");
    expect_contains(refusal(kTfRecordSource),
                    {"3 ", "not a TFRecord file but text that begins with 'a text of some length, b', or"});
    write("r/a.tfrecord", "x\x9C zlib, as TensorFlow's option ZLIB\x01");
    expect_contains(refusal(kTfRecordSource), {"3 ", "not a TFRecord file but zlib data, or damaged"});
    std::filesystem::remove("r/a.tfrecord");
    expect_contains(refusal(kTfRecordSource), {"2 ", "'r' holds no file that ends in"});
    expect_contains(refusal(R"(use = "records", path = "s/*")"), {"2 ", "'s/*' is not a file, a folder"});
}

TEST_F(TfRecords, with_other_suffixes_are_read_by_a_pattern) {
    write("r/val-00000-of-00002", "no records");
    write("r/train-00000-of-00002", file_of(0, 2));
    write("r/train-00001-of-00002", file_of(2, 2));
    const std::string error = refusal(kTfRecordSource);
    expect_contains(error, {"2 ", R"(; path = "r/train-*-of-00002" reads files such as 'train-00000-of-00002')"});
    EXPECT_EQ(samples(R"(use = "records", path = "r/train-*-of-00002")").size(), 4U);
    for (const char* const file : {"train-00000-of-00002", "train-00001-of-00002"}) {
        std::filesystem::remove(std::filesystem::path("r") / file);
    }
    expect_contains(refusal(kTfRecordSource), {"2 ", "; it holds files such as 'val-00000-of-00002'"});
    write("r/cats/a.JPG", "pixels");
    expect_contains(refusal(kTfRecordSource),
                    {"2 ", "; it holds pictures, such as 'cats/a.JPG', which the sources image_",
                     "`sluice prepare` turns into records"});
    write("r/b.png", "\x1F\x8B\x08 gzip, or pixels");
    EXPECT_EQ(refusal(kTfRecordSource).find("*.png"), std::string::npos);
    write("r/x.tfrec", file_of(0, 2));
    expect_contains(refusal(kTfRecordSource), {R"(; path = "r/*.tfrec" reads files such as 'x.tfrec')"});
}

TEST_F(TfRecords, that_are_cut_off_or_empty_may_be_let_pass) {
    const std::string whole = file_of(0, 4);
    write("r/a.tfrecord", "");
    write("r/b.tfrecord", whole.substr(0, whole.size() - 1));
    std::string first_damaged = file_of(4, 3);
    first_damaged[20] = static_cast<char>(first_damaged[20] ^ 1);
    write("r/c.tfrecord", first_damaged);
    const CapturedLog log;
    const Chain chain = make_chain("source = { " + kTfRecordSource + " }");
    ASSERT_EQ(chain.length(), 8U);
    LoaderOptions options = shuffled(2);
    options.fields = {"label"};
    options.skip_bad = 3;
    Loader loader(chain, options);
    std::set<std::int64_t> labels;
    for (std::uint64_t i = 0; i < loader.batches_per_epoch(); ++i) {
        const std::span<const std::int64_t> found = loader.next().fields[0].tensor.as<std::int64_t>();
        labels.insert(found.begin(), found.end());
    }
    EXPECT_EQ(labels, (std::set<std::int64_t>{0, 1, 2, 5, 6}));
    EXPECT_EQ(loader.state().bad_samples, (std::vector<std::uint64_t>{0, 4, 5}));
    expect_contains(log.take(), {"r/a.tfrecord: 0 bytes", "r/b.tfrecord: record 3 at byte",
                                 "the unreadable part of this file counts as one bad sample",
                                 "r/c.tfrecord: record 0 at byte 0", "(bad sample 3 of at most 3)"});
    options.skip_bad = 2;
    Loader fewer(chain, options);
    expect_contains(error_of([&] { dump_next(fewer, 2); }), {"3 ", "that makes 3 bad samples"});
}

TEST_F(TfRecords, packed_and_damaged_are_named) {
    const std::string packed = gzip_of(file_of(0, 50));
    write("r/a.tfrecord.gz", packed.substr(0, packed.size() - 3));
    expect_contains(failure(50), {"3 ", "r/a.tfrecord.gz: the gzip file is damaged or cut off near byte"});
    EXPECT_EQ(text_of(make_chain("source = { " + kTfRecordSource + " }"), 49), kJpeg + "49");
    for (std::size_t at = 12; at < packed.size(); at += 17) {
        std::string damaged = packed;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x04);
        write("r/a.tfrecord.gz", damaged);
        expect_contains(error_of([&] { samples(kTfRecordSource); }), {"3 ", "r/a.tfrecord.gz: "});
    }
}

TEST_F(TfRecords, that_are_cut_off_while_they_are_read_are_named) {
    write("r/a.tfrecord", file_of(0, 3));
    const Chain chain = make_chain("source = { " + kTfRecordSource + " }");
    for (const auto& [size, found] : {std::pair{165, "1 is there"}, std::pair{30, "0 are there"}}) {
        std::filesystem::resize_file("r/a.tfrecord", size);
        expect_contains(error_of([&] { Chain::Worker(chain).make(0, 2); }),
                        {"3 ", "r/a.tfrecord",
                         "was cut off since it was opened: of the 82 bytes from byte 164 on " + std::string(found)});
    }
}

}  // namespace
}  // namespace sluice::data
