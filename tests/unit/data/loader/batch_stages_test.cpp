// Transforms of whole batches: when and to what they are applied, and where they may stand in a chain.
#include <algorithm>

#include "data/loader/batch_stages.hpp"
#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

constexpr std::string_view kSum = R"({ use = "test_noise" }, { use = "test_sum" })";
constexpr std::string_view kHandedOn = R"({ use = "test_noise" }, { use = "test_sum" }, { use = "test_hand_on" })";

std::vector<float> sums_of(const Batch& batch) {
    const std::span<const float> sums = batch.fields[0].tensor.as<float>();
    return {sums.begin(), sums.end()};
}

std::string refusal(std::string_view map) {
    return error_of([&] { Loader(make_chain(with_map(map)), shuffled(0)); });
}

TEST(batch_stages, change_each_batch_once_with_a_draw_of_its_own) {
    const Chain plain = make_chain(with_map(kSum));
    const Chain chain = make_chain(with_map(kHandedOn));
    Loader before(plain, shuffled(2));
    Loader after(chain, shuffled(2));
    std::vector<float> draws;
    for (int i = 0; i < 12; ++i) {  // two epochs, and each has a last batch of 3
        const Batch& given = before.next();
        std::vector<float> expected = sums_of(given);
        std::ranges::rotate(expected, expected.begin() + 1);
        const Batch& made = after.next();
        draws.push_back(sums_of(made)[0] - expected[0]);
        for (float& sum : expected) {
            sum += draws.back();
        }
        EXPECT_EQ(sums_of(made), expected) << i;
        EXPECT_EQ(made.fields[1].tensor.bytes, given.fields[1].tensor.bytes) << i;
    }
    std::ranges::sort(draws);
    EXPECT_GE(std::ranges::unique(draws).begin() - draws.begin(), 10);
}

TEST(batch_stages, make_the_same_bytes_for_any_threads_prefetch_and_start) {
    expect_same_for_any_threads(make_chain(with_map(kHandedOn)), shuffled(0), 14);
}

TEST(batch_stages, draw_by_their_seed_and_place) {
    const auto first = [](std::string_view map, std::uint64_t seed) {
        const Chain chain = make_chain(with_map(map), seed);
        Loader loader(chain, shuffled(0));
        return sums_of(loader.next());
    };
    const std::string sum = R"({ use = "test_sum" }, )";
    const std::string one = R"({ use = "test_hand_on" })";
    EXPECT_EQ(first(sum + one, 7), first(sum + one, 7));
    EXPECT_NE(first(sum + one, 7), first(sum + one, 8));
    EXPECT_EQ(first(sum + one, 7), first(R"({ use = "cache" }, )" + sum + one, 7));
    // The second stage must draw another number. With equal draws, by_two would be twice by_one.
    const float by_one = first(sum + one, 7)[3] - first(sum, 7)[0];
    const float by_two = first(sum + one + ", " + one, 7)[2] - first(sum, 7)[0];
    EXPECT_NE(by_two, 2 * by_one);
}

// The digest covers the samples as they go into the batch.
TEST(batch_stages, leave_the_digest_of_an_epoch) {
    const auto digest = [](std::string_view map) {
        const Chain chain = make_chain(with_map(map));
        Loader loader(chain, shuffled(2));
        dump_next(loader, 6);
        return loader.digest();
    };
    EXPECT_EQ(digest(kHandedOn), digest(kSum));
}

TEST(batch_stages, are_listed_and_measured) {
    const Chain chain = make_chain(with_map(kHandedOn));
    EXPECT_EQ(chain.stages(), (std::vector<std::string>{"test_numbers", "test_noise", "test_sum", "test_hand_on"}));
    Loader loader(chain, shuffled(0));
    dump_next(loader, 6);
    const StageFigures figures = loader.figures().stages.at(3);
    EXPECT_EQ(figures.name, "test_hand_on");
    EXPECT_EQ(figures.sum.samples, 23U);
    EXPECT_EQ(figures.sum.taken, 23 * (sizeof(float) + 60 + 8));
    EXPECT_EQ(figures.sum.written, 23 * sizeof(float));
    EXPECT_GT(figures.sum.seconds, 0.0);
}

TEST(batch_stages, fail_in_their_place) {
    const std::string map = R"({ use = "test_sum" }, { use = "test_hand_on", bad_label = 9 })";
    const Chain chain = make_chain(with_map(map, "length = 23"));
    for (const std::int64_t workers : {0, 2}) {
        LoaderOptions options = shuffled(workers, 9);
        options.shuffle = false;
        options.skip_bad = 5;  // for samples only: no batch replaces a bad batch
        Loader loader(chain, options);
        dump_next(loader, 2);
        for (int again = 0; again < 2; ++again) {
            expect_contains(
                error_of([&] { loader.next(); }),
                {"3 data.train: batch 2 of epoch 1: transform 'test_hand_on'", "the batch is bad", "test.transform"});
        }
        loader.seek(0, 3);
        EXPECT_EQ(loader.next().number, 3U);
    }
}

TEST(batch_stages, are_not_called_if_samples_failed) {
    const std::string map = R"({ use = "test_sum" }, { use = "test_hand_on", bad_label = 9 })";
    for (const char* const source : {"length = 10, bad_at = [8]", "length = 10, tall_at = [8]"}) {
        const Chain chain = make_chain(with_map(map, source));
        LoaderOptions options = shuffled(2);
        options.shuffle = false;
        Loader loader(chain, options);
        dump_next(loader, 2);
        const std::string error = error_of([&] { loader.next(); });
        expect_contains(error, {"3 data.train", "sample 8"});
        EXPECT_EQ(error.find("test_hand_on"), std::string::npos) << error;
    }
}

TEST(batch_stages, come_after_all_others) {
    const std::string hand_on = R"({ use = "test_hand_on" }, )";
    expect_contains(refusal(hand_on + R"({ use = "test_sum" })"),
                    {"2 test.toml:2", "data.train: 'test_sum' works on samples", "comes after 'test_hand_on'",
                     "put 'test_hand_on' after it"});
    expect_contains(refusal(hand_on + R"({ use = "cache" })"), {"'cache' works on samples", "'test_hand_on'"});
}

TEST(batch_stages, are_for_training) {
    expect_contains(error_of([] { Chain(stream_spec(with_map(kHandedOn)), test_registry(), 1, "data.validation"); }),
                    {"2 test.toml:2", "data.validation: 'test_hand_on' changes whole batches", "only in data.train",
                     "take it out"});
}

TEST(batch_stages, know_the_fields_of_batches_alone) {
    const Chain chain = make_chain(with_map(kHandedOn));
    LoaderOptions options = shuffled(0);
    options.fields = {"image", "label"};
    expect_contains(error_of([&] { Loader(chain, options); }),
                    {"2 test.toml:2", "transform 'test_hand_on'", "there is no field 'sum'"});
}

TEST(batch_stages, blame_a_plugin_that_would_change_types) {
    const std::string sum = R"({ use = "test_sum" }, )";
    expect_contains(refusal(sum + R"({ use = "test_hand_on", wrong = "name" })"),
                    {"6 plugin test.data 1.0.0 misbehaves", "field 'another'", "its input has no such field"});
    expect_contains(
        refusal(sum + R"({ use = "test_hand_on", wrong = "type" })"),
        {"6 plugin test.data 1.0.0 misbehaves", "field 'sum' as [] int64", "in its input it is [] float32"});
}

}  // namespace
}  // namespace sluice::data
