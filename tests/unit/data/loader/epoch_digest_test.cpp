// Digests of epochs: the same data in the same order gives the same digest, whatever made it.
#include <set>

#include "data/loader/epoch_digest.hpp"
#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

constexpr std::string_view kNoiseAndSum = R"({ use = "test_noise" }, { use = "test_sum" })";

// Returns the digests of the first epochs.
std::vector<std::string> digests(const std::string& chain_text, const LoaderOptions& options, int epochs = 2) {
    const Chain chain = make_chain(chain_text);
    Loader loader(chain, options);
    std::vector<std::string> found;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        for (std::uint64_t i = 0; i < loader.batches_per_epoch(); ++i) {
            loader.next();
        }
        found.push_back(loader.digest());
    }
    return found;
}

TEST(digest, of_nothing_is_that_of_the_standard) {
    EXPECT_EQ(EpochDigest().text(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

// The expected text is the sha256sum of the bytes 01 00 .. 00, 02 00 .. 00.
TEST(digest, is_of_indices_and_hashes_the_least_byte_first) {
    EpochDigest digest;
    digest.add(1, 2);
    EXPECT_EQ(digest.text(), "0c730b69905c5ef7a4ca5269f72365400bde2dd2c04eaf9bbb3d1c4a265a0131");
}

TEST(digest, is_the_same_for_any_threads_prefetch_batch_and_cache) {
    const std::string plain = with_map(kNoiseAndSum, "length = 23, wait_us = 100");
    const std::vector<std::string> expected = digests(plain, shuffled(0, 0));
    EXPECT_NE(expected[0], expected[1]);
    for (const std::int64_t workers : {1, 2, 7}) {
        for (const std::int64_t prefetch : {0, 1, 5}) {
            EXPECT_EQ(digests(plain, shuffled(workers, prefetch)), expected) << workers << ", " << prefetch;
        }
    }
    EXPECT_EQ(digests(plain, shuffled(2, 2, 5)), expected);
    const std::string cached = with_map(R"({ use = "cache" }, )" + std::string(kNoiseAndSum), "length = 23");
    EXPECT_EQ(digests(cached, shuffled(2, 2)), expected);
}

TEST(digest, differs_if_a_byte_a_seed_or_a_field_does) {
    const std::string plain = with_map(kNoiseAndSum, "length = 23");
    std::set<std::string> found{digests(plain, shuffled(2, 2), 1)[0]};
    found.insert(digests(with_map(kNoiseAndSum, "length = 22"), shuffled(2, 2), 1)[0]);
    found.insert(digests(with_map(R"({ use = "test_sum" })", "length = 23"), shuffled(2, 2), 1)[0]);
    LoaderOptions other = shuffled(2, 2);
    other.seed = 12;
    found.insert(digests(plain, other, 1)[0]);
    other = shuffled(2, 2);
    other.fields = {"sum", "label"};
    found.insert(digests(plain, other, 1)[0]);
    EXPECT_EQ(found.size(), 5U);
}

TEST(digest, continues_from_where_it_was_stopped) {
    const std::string text = with_map(kNoiseAndSum, "length = 23");
    const std::vector<std::string> expected = digests(text, shuffled(2, 2));
    const Chain chain = make_chain(text);
    for (const std::uint64_t stop : {1, 3, 5}) {
        Loader first(chain, shuffled(1, 3));
        for (std::uint64_t i = 0; i < stop; ++i) {
            first.next();
        }
        Loader second(chain, shuffled(2, 1));
        second.seek(0, stop, first.state());
        for (std::uint64_t i = stop; i < second.batches_per_epoch(); ++i) {
            second.next();
        }
        EXPECT_EQ(second.digest(), expected[0]) << stop;
    }
}

TEST(digest, is_not_known_in_the_middle_of_an_epoch_without_its_state) {
    const Chain chain = make_chain(with_map(kNoiseAndSum, "length = 23"));
    Loader loader(chain, shuffled(1, 1));
    loader.seek(0, 4, {.digest_state = "0123", .digested = 4, .bad_samples = {}});
    loader.next();
    EXPECT_EQ(loader.digest(), "");
    EXPECT_EQ(loader.state().digest_state, "");
    loader.next();
    loader.next();  // the first batch of the next epoch
    EXPECT_EQ(loader.digest().size(), 64U);
}

// These functions return the samples of a batch that the first and the second loader make.
const auto kFirst = [](std::int64_t count) { return SampleRange{0, count - count / 2}; };
const auto kSecond = [](std::int64_t count) {
    return count == 1 ? SampleRange{0, 1} : SampleRange{count - count / 2, count};
};

TEST(digest, of_loaders_that_make_some_samples_each_is_that_of_one_that_makes_all) {
    const std::string text = with_map(kNoiseAndSum, "length = 21");
    const std::vector<std::string> expected = digests(text, shuffled(2, 2));
    const Chain chain = make_chain(text);
    LoaderState state;
    for (const std::int64_t workers : {0, 2}) {
        Loader first(chain, shuffled(workers, 3));
        Loader second(chain, shuffled(workers, 1));
        first.make_only(kFirst);
        second.make_only(kSecond);
        const auto join = [&] {
            EXPECT_EQ(first.digest(), "");
            const std::string hashes[] = {second.own_hashes(), first.own_hashes()};
            first.join_hashes(hashes);
            second.join_hashes(hashes);
            EXPECT_EQ(first.digest(), second.digest());
        };
        for (int epoch = 0; epoch < 2; ++epoch) {
            for (std::uint64_t i = 0; i < first.batches_per_epoch(); ++i) {
                first.next();
                second.next();
                if (i == 2) {
                    join();
                    state = second.state();
                }
            }
            join();
            EXPECT_EQ(first.digest(), expected[static_cast<std::size_t>(epoch)]);
        }
        Loader alone(chain, shuffled(2, 2));  // a single loader resumes
        EXPECT_EQ(state.digested, 3U);
        EXPECT_EQ(alone.seek(1, 5, state), 2U);
        for (std::uint64_t i = 3; i < alone.batches_per_epoch(); ++i) {
            EXPECT_EQ(alone.next().number, i);
        }
        EXPECT_EQ(alone.digest(), expected[1]);
    }
}

TEST(loader, makes_only_the_samples_that_it_is_to_make) {
    const Chain chain = make_chain(with_map(R"({ use = "test_sum" })", "length = 21"));
    Loader all(chain, shuffled(2, 2));
    Loader some(chain, shuffled(2, 2));
    some.make_only(kSecond);
    for (std::uint64_t i = 0; i < all.batches_per_epoch(); ++i) {
        const Batch& expected = all.next();
        const Batch& batch = some.next();
        ASSERT_EQ(batch.count, expected.count);
        const SampleRange own = kSecond(batch.count);
        for (std::int64_t k = 0; k < batch.count; ++k) {
            const bool is_own = k >= own.begin && k < own.end;
            const auto at = static_cast<std::size_t>(k);
            EXPECT_EQ(batch.names[at], is_own ? expected.names[at] : "");
            if (is_own) {
                EXPECT_EQ(batch.fields[0].tensor.as<float>()[at], expected.fields[0].tensor.as<float>()[at]);
            }
        }
    }
    some.seek(0, 0);
    EXPECT_EQ(some.figures().samples, 5U * 2 + 1);
}

TEST(loader, makes_all_samples_if_one_may_replace_another) {
    const Chain chain = make_chain(with_map(R"({ use = "test_sum" })", "length = 21"));
    LoaderOptions options = shuffled(2, 2);
    options.skip_bad = 1;
    Loader loader(chain, options);
    expect_contains(error_of([&] { loader.make_only(kFirst); }), {"2 data.train", "skip_bad"});
    const Chain mixed = make_chain(with_map(R"({ use = "test_sum" }, { use = "test_hand_on" })", "length = 21"));
    Loader of_mixed(mixed, shuffled(2, 2));
    expect_contains(error_of([&] { of_mixed.make_only(kFirst); }), {"2 data.train", "whole batches"});
}

}  // namespace
}  // namespace sluice::data
