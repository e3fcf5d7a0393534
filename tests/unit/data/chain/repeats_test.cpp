// Samples that come more than once in an epoch. Each time they have draws of their own, and once those that a sample
// without repeats has.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "data/chain/sampling.hpp"
#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

// In an epoch of 23 samples, most are sample 22, and the others come once at most.
std::string mixed(const std::string& map) {
    return R"(source = [{ use = "test_numbers", length = 22, weight = 1.0 },
                        { use = "test_numbers", length = 1, weight = 9.0, wait_us = 200 }]
              map = [)" +
           map + "]";
}

LoaderOptions images(std::int64_t workers) {
    LoaderOptions options = shuffled(workers);
    options.fields = {"image", "label"};
    return options;
}

// Returns all images of the next epoch, by the name and label of their sample.
std::map<std::string, std::vector<std::vector<std::uint8_t>>> epoch_of(Loader& loader) {
    std::map<std::string, std::vector<std::vector<std::uint8_t>>> by_name;
    for (std::uint64_t i = 0; i < loader.batches_per_epoch(); ++i) {
        const Batch& batch = loader.next();
        const auto bytes = batch.fields[0].tensor.bytes;
        const auto size = static_cast<std::ptrdiff_t>(bytes.size()) / batch.count;
        for (std::int64_t at = 0; at < batch.count; ++at) {
            const auto begin = bytes.begin() + at * size;
            const std::int64_t label = batch.fields[1].tensor.as<std::int64_t>()[static_cast<std::size_t>(at)];
            by_name[batch.names[static_cast<std::size_t>(at)] + " " + std::to_string(label)].emplace_back(begin,
                                                                                                          begin + size);
        }
    }
    return by_name;
}

std::string digest_of(Loader& loader) {
    for (std::uint64_t i = 0; i < loader.batches_per_epoch(); ++i) {
        loader.next();
    }
    return loader.digest();
}

void expect_numbered(const Draws& draws) {
    const Sampling sampling(draws, 5, true);
    for (std::uint64_t epoch = 0; epoch < 50; ++epoch) {
        std::map<std::uint64_t, std::vector<std::uint64_t>> repeats;
        for (std::uint64_t i = 0; i < draws.length; ++i) {
            const Drawn drawn = sampling.draw(epoch, i);
            EXPECT_EQ(drawn.index, sampling.index(epoch, i));
            repeats[drawn.index].push_back(drawn.repeat);
        }
        for (auto& [index, found] : repeats) {
            std::ranges::sort(found);
            std::vector<std::uint64_t> expected(found.size());
            std::iota(expected.begin(), expected.end(), 0);
            ASSERT_EQ(found, expected) << "sample " << index << " of epoch " << epoch;
        }
    }
}

TEST(repeats, are_numbered_from_0_for_each_sample) {
    const std::vector<double> weights{0.0, 1.0, 0.0, 2.5, 0.5, 0.1, 0.7, 14.0, 0.0, 1.0, 1e-9, 3.0, 0.0, 0.0};
    auto sums = std::make_shared<std::vector<double>>(weights.size());
    std::partial_sum(weights.begin(), weights.end(), sums->begin());
    for (const Blocks blocks : {Blocks{}, Blocks{4, 2}, Blocks{3, 100}, Blocks{1000, 1}}) {
        expect_numbered({.length = weights.size(), .blocks = blocks, .parts = {}, .weight_sums = sums});
        expect_numbered({.length = 110, .blocks = blocks, .parts = {}, .weight_sums = {}});
        expect_numbered({.length = 110, .blocks = blocks, .parts = {{100, 1.0}, {10, 3.0}}, .weight_sums = {}});
        expect_numbered({.length = 40, .blocks = blocks, .parts = {{17, 1.0}, {23, 1.0}}, .weight_sums = {}});
    }
}

TEST(repeats, have_draws_of_their_own) {
    const Chain chain = make_chain(mixed(R"({ use = "test_noise" })"));
    for (const std::int64_t workers : {0, 2}) {
        Loader loader(chain, images(workers));
        for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
            const auto found = epoch_of(loader).at("numbers/0 0");
            ASSERT_GT(found.size(), 15U);
            EXPECT_EQ((std::set(found.begin(), found.end()).size()), found.size());
            Chain::Worker worker(chain);
            EXPECT_EQ(std::ranges::count(found, bytes_of(worker.make(epoch, 22).fields[0])), 1) << epoch;
        }
    }
    expect_same_for_any_threads(chain, images(0), 12);
}

TEST(repeats, give_one_hash_of_an_epoch_also_of_a_run_that_goes_on) {
    const Chain chain = make_chain(mixed(R"({ use = "test_noise" })"));
    std::string expected;
    for (const std::int64_t workers : {0, 1, 2, 7}) {
        Loader whole(chain, images(workers));
        const std::string digest = digest_of(whole);
        expected = expected.empty() ? digest : expected;
        EXPECT_EQ(digest, expected) << workers;
        Loader first(chain, images(workers));
        first.next();
        first.next();
        Loader second(chain, images(workers));
        second.seek(0, 2, first.state());
        for (std::uint64_t i = 2; i < second.batches_per_epoch(); ++i) {
            second.next();
        }
        EXPECT_EQ(second.digest(), expected) << workers;
    }
}

TEST(repeats, of_what_was_kept_are_as_it_was_kept) {
    const Chain chain = make_chain(mixed(R"({ use = "test_noise" }, { use = "cache" })"));
    Loader loader(chain, images(2));
    const auto found = epoch_of(loader).at("numbers/0 0");
    EXPECT_GT(found.size(), 15U);
    EXPECT_EQ((std::set(found.begin(), found.end()).size()), 1U);
}

// Each of the 22 good samples comes once, and one of them once more in the place of the bad sample.
TEST(repeats, in_the_place_of_a_bad_sample_have_draws_of_their_own) {
    const Chain chain = make_chain(with_map(R"({ use = "test_noise" })", "length = 23, bad_at = [5]"));
    LoaderOptions options = images(2);
    options.skip_bad = 1;
    Loader loader(chain, options);
    std::size_t twice = 0;
    for (const auto& [name, found] : epoch_of(loader)) {
        twice += found.size() == 2 ? 1 : 0;
        EXPECT_EQ((std::set(found.begin(), found.end()).size()), found.size()) << name;
    }
    EXPECT_EQ(twice, 1U);
}

}  // namespace
}  // namespace sluice::data
