// Loaders: the same batches for any number of threads, failures in their place, and a destructor that does not hang.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <thread>

#include "data/loader/loader.hpp"
#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

TEST(loader, gives_every_sample_once_in_each_epoch) {
    const Chain chain = make_chain(with_map(R"({ use = "test_sum" })"));
    Loader loader(chain, shuffled(2, 2));
    EXPECT_EQ(loader.batches_per_epoch(), 6U);
    for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
        std::vector<bool> seen(23);
        for (std::uint64_t number = 0; number < 6; ++number) {
            const Batch& batch = loader.next();
            EXPECT_EQ(batch.epoch, epoch);
            EXPECT_EQ(batch.number, number);
            EXPECT_EQ(batch.count, number == 5 ? 3 : 4);
            EXPECT_EQ(to_string(batch.fields[1].tensor.spec), to_string(make_spec(kUint8, {batch.count, 4, 5, 3})));
            EXPECT_EQ(batch.fields[1].role, SLUICE_FIELD_IMAGE);
            EXPECT_EQ(batch.names.size(), static_cast<std::size_t>(batch.count));
            for (const std::int64_t label : batch.fields[2].tensor.as<std::int64_t>()) {
                EXPECT_FALSE(seen.at(static_cast<std::size_t>(label)));
                seen.at(static_cast<std::size_t>(label)) = true;
            }
        }
    }
}

TEST(loader, makes_the_same_bytes_for_any_threads_prefetch_and_cache) {
    const std::string tail = R"({ use = "test_noise" }, { use = "test_sum" })";
    const std::string maps[] = {with_map(tail), with_map(R"({ use = "cache" }, )" + tail),
                                with_map(R"({ use = "cache", budget = "2 KiB" }, )" + tail)};
    std::vector<std::string> expected;
    for (const std::string& map : maps) {
        SCOPED_TRACE(map);
        expected = expect_same_for_any_threads(make_chain(map), shuffled(0), 14, expected);
    }
}

TEST(loader, continues_from_any_position) {
    const Chain chain = make_chain(with_map(R"({ use = "test_noise" }, { use = "test_sum" })"));
    Loader whole(chain, shuffled(2, 2));
    const std::vector<std::string> expected = dump_next(whole, 20);
    for (const std::int64_t workers : {0, 1, 2, 7}) {
        Loader loader(chain, shuffled(workers, 3));
        loader.seek(1, 4);
        EXPECT_EQ(dump_next(loader, 10), std::vector(expected.begin() + 10, expected.end()));
        loader.seek(0, 3);
        EXPECT_EQ(dump_next(loader, 5), std::vector(expected.begin() + 3, expected.begin() + 8));
        loader.seek(0, 0);
        loader.seek(2, 0);
        EXPECT_EQ(dump_next(loader, 1).front(), expected[12]);
    }
}

// Returns how many threads of this process have a lower priority than this one.
std::int64_t threads_that_give_way() {
    const int own = ::getpriority(PRIO_PROCESS, 0);
    return std::ranges::count_if(std::filesystem::directory_iterator("/proc/self/task"), [&](const auto& entry) {
        return ::getpriority(PRIO_PROCESS, static_cast<id_t>(std::stoi(entry.path().filename()))) > own;
    });
}

TEST(loader, gives_way_if_asked) {
    if (::getpriority(PRIO_PROCESS, 0) == 19) {
        GTEST_SKIP() << "the lowest priority cannot be lowered";
    }
    const Chain chain = make_chain(with_map(R"({ use = "test_sum" })"));
    Loader loader(chain, shuffled(2, 3));
    const std::vector<std::string> before = dump_next(loader, 12);
    EXPECT_EQ(threads_that_give_way(), 0);
    loader.give_way();
    loader.seek(0, 0);
    EXPECT_EQ(dump_next(loader, 12), before);
    EXPECT_GE(threads_that_give_way(), 1);
    EXPECT_LE(threads_that_give_way(), 2);
}

TEST(loader, reuses_its_batches) {
    const Chain chain = make_chain(with_map(R"({ use = "test_sum" })"));
    Loader loader(chain, shuffled(2, 1));
    std::set<const Batch*> batches;
    for (int i = 0; i < 20; ++i) {
        batches.insert(&loader.next());
    }
    EXPECT_LE(batches.size(), 2U);
}

// The loader begins the second batch before it knows the size of the first, but none after it.
TEST(loader, prefetches_no_more_batches_than_have_room) {
    constexpr std::uint64_t kBatch = 4 * sizeof(std::int64_t);
    const Chain chain = make_chain(with_map(R"({ use = "test_sum" })", "length = 23"));
    for (const std::uint64_t room : {1, 2, 3}) {
        LoaderOptions options = shuffled(2, 4);
        options.fields = {"label"};
        options.prefetch_bytes = room * kBatch;
        Loader loader(chain, options);
        loader.seek(0, 0);
        std::set<const Batch*> batches;
        for (int i = 0; i < 20; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));  // time to make all that may be made
            batches.insert(&loader.next());
        }
        EXPECT_EQ(batches.size(), room + 1);
        EXPECT_EQ(loader.figures().prefetch, static_cast<std::int64_t>(room));
    }
}

TEST(loader, says_that_there_is_no_memory_for_a_batch) {
    const Chain chain = make_chain(with_map(R"({ use = "test_sum" })", "length = 1000000000000000000"));
    for (const std::int64_t workers : {0, 1, 7}) {
        LoaderOptions options = shuffled(workers, 2, 1'000'000'000'000'000'000);
        options.shuffle = false;
        Loader loader(chain, options);
        for (int again = 0; again < 2; ++again) {
            expect_contains(error_of([&] { loader.next(); }),
                            {"4 data.train: out of memory for a batch of 1000000000000000000 samples", "data.batch"});
        }
    }
}

TEST(loader, throws_where_the_bad_batch_would_have_come) {
    const Chain chain =
        make_chain(with_map(R"({ use = "test_sum" })", "length = 40, bad_at = [22, 21, 30], wait_us = 200"));
    for (const std::int64_t workers : {0, 1, 2, 7}) {
        LoaderOptions options = shuffled(workers, 9);
        options.shuffle = false;
        Loader loader(chain, options);
        for (std::uint64_t number = 0; number < 5; ++number) {
            EXPECT_EQ(loader.next().number, number);
        }
        for (int again = 0; again < 2; ++again) {
            expect_contains(error_of([&] { loader.next(); }), {"3 data.train: sample 21 (numbers/21)"});
        }
        loader.seek(0, 6);
        EXPECT_EQ(loader.next().number, 6U);
    }
}

TEST(loader, names_samples_of_different_shapes) {
    const Chain chain =
        make_chain(with_map(R"({ use = "test_sum" })", "tall_at = [6, 7, 13], wait_us = 200 , length = 20"));
    for (const std::int64_t workers : {0, 1, 7}) {
        LoaderOptions options = shuffled(workers, 2);
        options.shuffle = false;
        Loader loader(chain, options);
        loader.next();
        expect_contains(error_of([&] { loader.next(); }),
                        {"3 data.train: batch 1, field 'image': sample 4 (numbers/4) is [4, 5, 3] uint8, but sample 6 "
                         "(numbers/6) is [5, 5, 3] uint8",
                         "random_crop", "center_crop", "resize", "batch = 1"});
        options.batch = 1;
        Loader single(chain, options);
        single.seek(0, 5);
        EXPECT_EQ(to_string(single.next().fields[1].tensor.spec), to_string(make_spec(kUint8, {1, 4, 5, 3})));
        EXPECT_EQ(to_string(single.next().fields[1].tensor.spec), to_string(make_spec(kUint8, {1, 5, 5, 3})));
    }
}

TEST(loader, refuses_fields_that_make_no_batch) {
    const Chain chain = make_chain(with_map(R"({ use = "test_sum" })"));
    LoaderOptions options = shuffled(1, 1);
    options.fields = {"imge"};
    expect_contains(error_of([&] { Loader(chain, options); }), {"2 data.train", "'imge'", "did you mean 'image'"});
    options.fields = {"file"};
    expect_contains(error_of([&] { Loader(chain, options); }), {"2 data.train", "'file'", "{ use = \"decode\" }"});
    options = shuffled(1, 1, 0);
    expect_contains(error_of([&] { Loader(chain, options); }), {"2 data.train", "batch = 0"});
}

TEST(loader, ends_promptly_with_a_full_queue_and_a_busy_one) {
    const Chain chain = make_chain(with_map(R"({ use = "test_sum" })", "length = 100000, wait_us = 2000"));
    for (const int pause_ms : {0, 1, 30}) {
        auto loader = std::make_unique<Loader>(chain, shuffled(3, pause_ms == 30 ? 1 : 5000));
        loader->next();
        std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
        const auto before = std::chrono::steady_clock::now();
        loader.reset();
        EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(2));
    }
    Loader never_used(chain, shuffled(3, 2));
}

// The label of sample i is i.
TEST(loader, names_a_label_that_its_reader_does_not_take) {
    const Chain chain = make_chain(R"(source = { use = "test_numbers", length = 10 })");
    const auto error_with = [&](const registry::LabelRange& range) {
        Loader loader(chain, {.batch = 10, .workers = 1, .fields = {"label"}});
        loader.expect_labels({{"label", "loss 'x'", range}});
        return error_of([&] { loader.next(); });
    };
    EXPECT_EQ(error_with({.classes = 10, .ignored = std::nullopt}), "nothing was thrown");
    EXPECT_EQ(error_with({.classes = 9, .ignored = 9}), "nothing was thrown");
    expect_contains(error_with({.classes = 8, .ignored = 9}),
                    {"3 data.train: sample 8 (numbers/8): field 'label' is 8; loss 'x' takes classes 0 to 7 and 9, "
                     "which it ignores"});
}

// The loader must not make two batches at once, and then none while the caller uses both.
TEST(loader, prefetches_a_single_batch_during_each_step) {
    const Chain chain = make_chain("source = { use = \"test_numbers\", length = 40, sleep_ms = 60 }");
    Loader loader(chain, {.batch = 1, .workers = 1, .prefetch = 1, .fields = {"label"}});
    loader.next();
    for (int step = 0; step < 5; ++step) {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        loader.next();
        EXPECT_LT(loader.waited(), 0.04) << "step " << step;
    }
}

TEST(loader, measures_how_long_it_waited) {
    const Chain chain = make_chain(with_map(R"({ use = "test_sum" })"));
    Loader loader(chain, shuffled(1, 5));
    loader.next();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    loader.next();
    EXPECT_GE(loader.waited(), 0.0);
    EXPECT_LT(loader.waited(), 0.05);
}

}  // namespace
}  // namespace sluice::data
