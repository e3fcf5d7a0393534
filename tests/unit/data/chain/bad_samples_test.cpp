// Bad samples: how many are tolerated, what takes their places, and that all are logged.
#include <algorithm>
#include <chrono>
#include <thread>

#include "data/chain/bad_samples.hpp"
#include "unit/captured_log.hpp"
#include "unit/data/data_test_chain.hpp"
#include "unit/folder_test.hpp"

namespace sluice::data {
namespace {

std::string numbers(const std::string& more) { return with_map(R"({ use = "test_noise" })", "length = 23, " + more); }

LoaderOptions skipping(std::int64_t most, std::int64_t workers = 2) {
    LoaderOptions options = shuffled(workers);
    options.skip_bad = most;
    options.fields = {"image", "label"};
    return options;
}

class BadSampleTest : public FolderTest {
protected:
    static void expect_stall_reported(std::int64_t workers) {
        const CapturedLog log;
        const Chain chain = make_chain(R"(source = { use = "test_numbers", length = 4, sleep_ms = 300 })");
        LoaderOptions options = skipping(0, workers);
        options.stall_seconds = 0.05;
        Loader loader(chain, options);
        loader.next();
        const std::string log_text = log.take();
        expect_contains(log_text,
                        {"data.train: waiting for batch 0 for 0.", "at 'test_numbers' of sample", " s (numbers/"});
        EXPECT_EQ(log_text.find(" 0 s"), std::string::npos) << log_text;
    }
};

// Returns how often each label came in an epoch.
std::vector<int> labels_of(Loader& loader) {
    std::vector<int> counts(23);
    for (std::uint64_t i = 0; i < loader.batches_per_epoch(); ++i) {
        const Batch& batch = loader.next();
        EXPECT_EQ(batch.count, i == 5 ? 3 : 4);
        for (const std::int64_t label : batch.fields[1].tensor.as<std::int64_t>()) {
            ++counts.at(static_cast<std::size_t>(label));
        }
    }
    return counts;
}

TEST_F(BadSampleTest, is_replaced_by_another_and_reported_once) {
    const CapturedLog log;
    const Chain chain = make_chain(numbers("bad_at = [5, 9]"));
    Loader loader(chain, skipping(2));
    for (int epoch = 0; epoch < 3; ++epoch) {
        const std::vector<int> counts = labels_of(loader);
        EXPECT_EQ(counts[5], 0);
        EXPECT_EQ(counts[9], 0);
        EXPECT_EQ(std::ranges::count(counts, 0), 2);
    }
    EXPECT_EQ(loader.state().bad_samples, (std::vector<std::uint64_t>{5, 9}));
    EXPECT_EQ(loader.figures().replaced, 6U);
    const std::string text = log.take();
    expect_contains(text, {"data.train: sample 5 (numbers/5)", "sample 9 (numbers/9)", "the number is bad",
                           "takes its place (bad sample 1 of at most 2)", "(bad sample 2 of at most 2)"});
    EXPECT_EQ(text.find("numbers/5"), text.rfind("numbers/5"));
}

TEST_F(BadSampleTest, is_replaced_by_the_same_for_any_number_of_threads) {
    const Chain chain = make_chain(numbers("wait_us = 200, bad_at = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"));
    expect_same_for_any_threads(chain, skipping(10), 12);
}

TEST_F(BadSampleTest, too_many_end_the_stream_at_the_same_place) {
    const Chain chain = make_chain(numbers("wait_us = 200, bad_at = [3, 5, 9]"));
    std::string expected;
    for (const std::int64_t workers : {0, 1, 2, 7}) {
        Loader loader(chain, skipping(2, workers));
        int batches = 0;
        const std::string error = error_of([&] {
            for (; batches < 6; ++batches) {
                loader.next();
            }
        });
        const std::string found = std::to_string(batches) + " " + error;
        expected = expected.empty() ? found : expected;
        EXPECT_EQ(found, expected) << workers;
        expect_contains(error,
                        {"3 data.train: sample", "the number is bad", "that makes 3 bad samples", "data.skip_bad = 2"});
    }
}

TEST_F(BadSampleTest, is_counted_on_when_a_run_goes_on) {
    const Chain chain = make_chain(numbers("bad_at = [3, 5, 9]"));
    Loader first(chain, skipping(3));
    labels_of(first);
    Loader second(chain, skipping(3));
    second.seek(1, 0, first.state());
    labels_of(second);
    EXPECT_EQ(second.state().bad_samples, (std::vector<std::uint64_t>{3, 5, 9}));
    Loader third(chain, skipping(3));
    third.seek(1, 0, {.digest_state = {}, .digested = 0, .bad_samples = {20, 21}});
    expect_contains(error_of([&] { labels_of(third); }), {"that makes 4 bad samples"});
}

// A run saves its state when it fails because of one bad sample too many. It fails again after it is resumed.
TEST_F(BadSampleTest, that_is_one_too_many_is_so_again_when_a_run_resumes) {
    const Chain chain = make_chain(numbers("bad_at = [3, 5, 9]"));
    Loader first(chain, skipping(2));
    const std::string error = error_of([&] { labels_of(first); });
    expect_contains(error, {"that makes 3 bad samples"});
    EXPECT_EQ(error_of([&] { first.next(); }), error);
    EXPECT_EQ(first.state().bad_samples.size(), 2U);
    Loader second(chain, skipping(2));
    second.seek(0, 0, first.state());
    EXPECT_EQ(error_of([&] { labels_of(second); }), error);
}

TEST_F(BadSampleTest, of_a_stream_of_bad_ones_ends_it) {
    const Chain chain = make_chain("source = { use = \"test_numbers\", length = 3, bad_at = [0, 1, 2] }");
    Loader loader(chain, skipping(100));
    const std::string error = error_of([&] { loader.next(); });
    expect_contains(error, {"the number is bad", "3 consecutive samples"});
    expect_contains(error, {"every sample of the data is bad", "(numbers/0)", "(numbers/1)", "(numbers/2)"});
    EXPECT_EQ(error.find("raise data.skip_bad"), std::string::npos) << error;  // a higher limit would not help
}

TEST_F(BadSampleTest, that_is_one_too_many_in_a_row_is_reported_with_those_before_it_and_why) {
    std::string all = "0";
    for (int i = 1; i < 23; ++i) {
        all += ", " + std::to_string(i);
    }
    const Chain chain = make_chain(with_map(R"({ use = "test_sum", bad_label = 1 })",
                                            "length = 23, bad_at = [0" + all.substr(all.find(", 2")) + "]"));
    Loader ends(chain, skipping(9));
    const std::string error = error_of([&] { ends.next(); });
    expect_contains(error,
                    {"10 consecutive samples are bad", "but data.skip_bad = 9; ",
                     "repair them or raise data.skip_bad. Before it: ", "): source 'test_numbers': the number is bad"});
    EXPECT_TRUE(error.find(" and 4 more: ") != error.npos || error.find(" and 3 more: ") != error.npos) << error;
    Loader whole(chain, skipping(300));
    expect_contains(error_of([&] { whole.next(); }),
                    {"every sample of the data is bad (23 consecutive samples); repair them. Before it: ",
                     "1 (numbers/1): transform 'test_sum': the label is bad"});
}

// Sample 22 fills most of an epoch.
TEST_F(BadSampleTest, that_follows_itself_counts_once) {
    const Chain chain = make_chain(R"(source = [{ use = "test_numbers", length = 22, weight = 1.0 },
                                                { use = "test_numbers", length = 1, weight = 9.0, bad_at = [0] }])");
    for (const std::int64_t workers : {0, 2}) {
        Loader loader(chain, skipping(1, workers));
        labels_of(loader);
        EXPECT_EQ(loader.state().bad_samples, (std::vector<std::uint64_t>{22}));
        EXPECT_GT(loader.figures().replaced, 15U);
    }
}

TEST_F(BadSampleTest, that_is_all_that_comes_ends_the_stream) {
    const Chain chain = make_chain(R"(source = [{ use = "test_numbers", length = 22, weight = 0.0000001 },
                                                { use = "test_numbers", length = 1, weight = 9.0, bad_at = [0] }])");
    Loader loader(chain, skipping(1));
    expect_contains(error_of([&] { loader.next(); }), {"3 data.train: sample 22", "every sample of the epoch is bad"});
}

// As in an evaluation, several passes read the samples in order. All samples of the last batch are bad.
TEST_F(BadSampleTest, that_is_left_out_has_none_in_its_place) {
    const Chain chain = make_chain(numbers("wait_us = 200, bad_at = [0, 5, 6, 20, 21, 22]"));
    for (const std::int64_t workers : {0, 1, 2, 7}) {
        LoaderOptions options = skipping(0, workers);
        options.shuffle = false;
        options.one_pass = true;
        options.leave_out_bad = true;
        Loader loader(chain, options);
        for (int pass = 0; pass < 2; ++pass) {
            loader.seek(0, 0);
            std::vector<std::uint64_t> left_out;
            for (std::uint64_t i = 0; i < loader.batches_per_epoch(); ++i) {
                const Batch& batch = loader.next();
                std::vector<bool> is_there(static_cast<std::size_t>(batch.count), true);
                for (const auto& sample : batch.left_out) {
                    EXPECT_EQ(sample.index, 4 * i + static_cast<std::uint64_t>(sample.position));
                    expect_contains(sample.what, {"(numbers/" + std::to_string(sample.index) + ")", "is bad"});
                    is_there.at(static_cast<std::size_t>(sample.position)) = false;
                    left_out.push_back(sample.index);
                }
                for (std::size_t at = 0; at < is_there.size(); ++at) {
                    if (is_there[at]) {
                        EXPECT_EQ(batch.fields[1].tensor.as<std::int64_t>()[at], static_cast<std::int64_t>(4 * i + at));
                    }
                }
            }
            EXPECT_EQ(left_out, (std::vector<std::uint64_t>{0, 5, 6, 20, 21, 22})) << workers;
        }
    }
}

TEST_F(BadSampleTest, that_transforms_of_batches_would_need_is_not_left_out) {
    const Chain chain =
        make_chain(with_map(R"({ use = "test_sum" }, { use = "test_hand_on" })", "length = 23, bad_at = [5]"));
    LoaderOptions options = shuffled(2);
    options.leave_out_bad = true;
    Loader loader(chain, options);
    expect_contains(error_of([&] { dump_next(loader, 6); }), {"3 ", "numbers/5", "it cannot be left out"});
}

TEST_F(BadSampleTest, that_is_too_large_is_named_with_the_limit) {
    config::StreamSpec spec = stream_spec(R"(source = { use = "test_numbers", length = 4, tall_at = [2] })");
    spec.sample_bytes = std::uint64_t{2} * 70;  // a sample that is not tall has 69 bytes
    const Chain chain(spec, test_registry(), 7, "data.train");
    Chain::Worker worker(chain);
    worker.make(0, 1);
    expect_contains(error_of([&] { worker.make(0, 2); }),
                    {"3 data.train: sample 2 (numbers/2): field 'image' would be", "data.memory leaves 70 B for it"});
}

TEST_F(BadSampleTest, that_does_not_come_is_reported_with_its_stage) { expect_stall_reported(2); }

TEST_F(BadSampleTest, that_does_not_come_is_reported_if_its_caller_makes_it) { expect_stall_reported(0); }

TEST_F(BadSampleTest, that_does_not_come_is_not_awaited_by_who_wants_to_stop) {
    const Chain chain = make_chain(R"(source = { use = "test_numbers", length = 8, sleep_ms = 500 })");
    LoaderOptions options = skipping(0);
    bool stops = true;
    options.stop = [&] { return stops; };
    Loader loader(chain, options);
    EXPECT_THROW(loader.next(), Stopped);
    stops = false;
    EXPECT_EQ(loader.next().number, 0U);
}

TEST(figures, tell_what_each_stage_did) {
    const Chain chain = make_chain(
        "source = { use = \"test_numbers\", length = 23, sleep_ms = 1 }\n"
        "map = [{ use = \"cache\" }, { use = \"test_noise\" }]");
    Loader loader(chain, skipping(0, 0));  // without workers, no sample is half made
    labels_of(loader);
    const LoaderFigures first = loader.figures();
    ASSERT_EQ(first.stages.size(), 3U);
    EXPECT_EQ(first.stages[0].name, "test_numbers");
    EXPECT_EQ(first.stages[0].sum.samples, 23U);
    EXPECT_EQ(first.stages[0].sum.taken, 0U);  // a source takes nothing from another stage
    EXPECT_EQ(first.stages[0].sum.written, 23U * (60 + 8 + 1));
    EXPECT_EQ(first.stages[1].sum.taken, 23U * (60 + 8 + 1));
    EXPECT_EQ(first.stages[2].sum.taken, 23U * (60 + 8 + 1));
    EXPECT_EQ(first.stages[2].sum.written, 23U * 60);
    EXPECT_EQ(first.slowest(), 0U);
    EXPECT_GT(first.stages[0].sum.seconds, 2.0 * first.stages[0].sum.computed);  // the source sleeps
    EXPECT_EQ(first.batches, 6U);
    EXPECT_EQ(first.samples, 23U);
    labels_of(loader);
    const LoaderFigures second = loader.figures().since(first);
    EXPECT_EQ(second.batches, 6U);
    EXPECT_EQ(second.stages[0].sum.samples, 0U);  // all samples come from the cache
    EXPECT_EQ(second.stages[1].sum.taken, 0U);
    EXPECT_EQ(second.stages[1].sum.written, 23U * (60 + 8 + 1));
    expect_contains(to_text(first, true), {"test_numbers", "test_noise", "'test_numbers' takes", "waits for files"});
    expect_contains(to_json(first), {"\"slowest\": \"test_numbers\""});
}

// The only worker has nothing to do while the caller keeps its batch. In the end it is idle most of the time.
TEST(figures, tell_how_long_workers_are_blocked) {
    const Chain chain = make_chain("source = { use = \"test_numbers\", length = 23, sleep_ms = 1 }");
    Loader loader(chain, skipping(0, 1));
    const LoaderFigures start = loader.figures();
    labels_of(loader);
    LoaderFigures figures = loader.figures().since(start);
    EXPECT_GE(figures.at_work, figures.stages[0].sum.seconds);
    for (int i = 0; i < 1000 && figures.at_work > 0.5 * figures.worker_seconds; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        figures = loader.figures().since(start);
    }
    EXPECT_LE(figures.at_work, 0.5 * figures.worker_seconds);
    figures.workers = 2;
    figures.seconds = 10.0;
    figures.worker_seconds = 20.0;
    figures.at_work = 15.0;
    figures.stages[0].sum.seconds = 14.0;
    expect_contains(to_text(figures, true),
                    {"2 workers: 70 % at these stages, 5 % at putting samples into batches, 25 % blocked on output"});
}

}  // namespace
}  // namespace sluice::data
