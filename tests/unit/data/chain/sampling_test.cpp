// The samples of an epoch: blocks, several sources, weights, and samples that come more than once.
#include "data/chain/sampling.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

std::vector<std::uint64_t> epoch_of(const Sampling& sampling, std::uint64_t epoch, std::uint64_t length) {
    std::vector<std::uint64_t> indices(length);
    for (std::uint64_t i = 0; i < length; ++i) {
        indices[i] = sampling.index(epoch, i);
    }
    return indices;
}

bool is_permutation_of_all(std::vector<std::uint64_t> indices) {
    std::ranges::sort(indices);
    std::vector<std::uint64_t> all(indices.size());
    std::iota(all.begin(), all.end(), 0);
    return indices == all;
}

std::vector<int> counts_of(const std::vector<std::uint64_t>& indices, std::size_t length) {
    std::vector<int> counts(length);
    for (const std::uint64_t index : indices) {
        ++counts.at(index);
    }
    return counts;
}

Draws weighted(const std::vector<double>& weights) {
    auto sums = std::make_shared<std::vector<double>>(weights.size());
    std::partial_sum(weights.begin(), weights.end(), sums->begin());
    return {.length = weights.size(), .blocks = {}, .parts = {}, .weight_sums = std::move(sums)};
}

TEST(sampling, of_repeated_samples_has_the_first_of_epoch_0) {
    const Draws draws{.length = 50, .blocks = {}, .parts = {}, .weight_sums = {}};
    const Sampling all(draws, 7, true);
    const Sampling repeated(draws, 7, true, 3);
    const std::vector<std::uint64_t> first = epoch_of(all, 0, 3);
    for (std::uint64_t position = 0; position < 50; ++position) {
        EXPECT_EQ(repeated.index(4, position), first[position % 3]);
    }
}

TEST(sampling, by_blocks_gives_every_sample_once) {
    for (const std::uint64_t length : {1, 5, 16, 17, 100, 1003}) {
        for (const Blocks blocks : {Blocks{1, 1}, Blocks{8, 1}, Blocks{8, 3}, Blocks{5, 100}, Blocks{2000, 2},
                                    Blocks{4, std::uint64_t{1} << 62}}) {
            const Sampling sampling({.length = length, .blocks = blocks, .parts = {}, .weight_sums = {}}, 3, true);
            for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
                EXPECT_TRUE(is_permutation_of_all(epoch_of(sampling, epoch, length)))
                    << length << " in blocks of " << blocks.block << " by " << blocks.together;
            }
        }
    }
}

TEST(sampling, by_blocks_stays_near_and_mixes_what_is_together) {
    constexpr std::uint64_t kBlock = 32;
    constexpr std::uint64_t kTogether = 4;
    const Sampling sampling({.length = 4096, .blocks = {kBlock, kTogether}, .parts = {}, .weight_sums = {}}, 3, true);
    const std::vector<std::uint64_t> indices = epoch_of(sampling, 0, 4096);
    const std::uint64_t start = epoch_of(sampling, 0, 1).front();
    std::size_t steps_by_one = 0;
    for (std::size_t group = 0; group < 4096; group += kBlock * kTogether) {
        std::vector<std::uint64_t> blocks;
        for (std::size_t i = 0; i < kBlock * kTogether; ++i) {
            blocks.push_back((indices[group + i] + 4096 - start % kBlock) % 4096);
            steps_by_one += i > 0 && indices[group + i] == indices[group + i - 1] + 1 ? 1 : 0;
        }
        std::ranges::sort(blocks);
        // A group holds 4 runs of 32 consecutive numbers. One run may be cut where the numbers wrap around.
        std::size_t gaps = 0;
        for (std::size_t i = 1; i < blocks.size(); ++i) {
            gaps += blocks[i] == blocks[i - 1] + 1 ? 0 : 1;
        }
        EXPECT_LE(gaps, kTogether);
    }
    EXPECT_LT(steps_by_one, 4096U / 32U);  // a random order has about 32 of these steps
    EXPECT_NE(indices, epoch_of(sampling, 1, 4096));
}

TEST(sampling, of_weighted_parts_has_their_shares_and_misses_nothing) {
    const Sampling sampling({.length = 110, .blocks = {}, .parts = {{100, 1.0}, {10, 3.0}}, .weight_sums = {}}, 3,
                            true);
    std::vector<std::uint64_t> all;
    for (std::uint64_t epoch = 0; epoch < 40; ++epoch) {
        const std::vector<std::uint64_t> indices = epoch_of(sampling, epoch, 110);
        // The share of the second part is 82.5 samples.
        EXPECT_EQ(std::ranges::count_if(indices, [](std::uint64_t index) { return index >= 100; }), 82);
        all.insert(all.end(), indices.begin(), indices.end());
    }
    const std::vector<int> counts = counts_of(all, 110);
    // The first 100 samples get 28 * 40 = 1120 draws, 11 or 12 each. The other 10 get 82 * 40 = 3280 draws, 328 each.
    EXPECT_EQ(*std::min_element(counts.begin(), counts.begin() + 100), 11);
    EXPECT_EQ(*std::max_element(counts.begin(), counts.begin() + 100), 12);
    EXPECT_EQ(std::vector<int>(counts.begin() + 100, counts.end()), std::vector<int>(10, 328));
}

TEST(sampling, by_weights_comes_as_often_as_they_say) {
    const std::vector<double> weights{1.0, 0.0, 2.5, 0.5, 4.0, 0.0, 1.0, 1.0, 0.0, 0.0};
    const Sampling sampling(weighted(weights), 5, true);
    std::vector<int> sums(10);
    for (std::uint64_t epoch = 0; epoch < 2000; ++epoch) {
        const std::vector<int> counts = counts_of(epoch_of(sampling, epoch, 10), 10);
        for (std::size_t i = 0; i < 10; ++i) {
            EXPECT_NEAR(counts[i], weights[i], 0.9999);  // a weight is rounded up or down
            sums[i] += counts[i];
        }
    }
    for (std::size_t i = 0; i < 10; ++i) {
        EXPECT_NEAR(sums[i] / 2000.0, weights[i], 0.05);
    }
}

TEST(sampling, does_nothing_if_nothing_is_shuffled) {
    const Sampling sampling(weighted({0.0, 1.0, 5.0}), 5, false);
    EXPECT_EQ(epoch_of(sampling, 3, 3), (std::vector<std::uint64_t>{0, 1, 2}));
    EXPECT_EQ(sampling.index(0, 4), 1U);  // positions wrap around
}

TEST(sampling, of_two_sources_makes_samples_of_both) {
    const Chain chain =
        make_chain(R"(source = [{ use = "test_numbers", length = 6 }, { use = "test_numbers", length = 4 }])");
    EXPECT_EQ(chain.length(), 10U);
    EXPECT_EQ(chain.stages().front(), "test_numbers + test_numbers");
    Chain::Worker worker(chain);
    EXPECT_EQ(worker.make(0, 5).name, "numbers/5");
    EXPECT_EQ(worker.make(0, 6).name, "numbers/0");
    EXPECT_EQ(worker.make(0, 9).name, "numbers/3");
}

TEST(sampling, refuses_weights_that_a_source_cannot_tell) {
    config::StreamSpec spec = stream_spec(R"(source = { use = "test_numbers" })");
    spec.sampling.use = config::SamplingKind::balanced;
    expect_contains(error_of([&] { Chain(spec, test_registry(), 1, "data.train"); }),
                    {"2 ", "source 'test_numbers' does not report classes of its samples"});
}

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
std::map<std::string, std::vector<std::vector<std::uint8_t>>> images_of_epoch(Loader& loader) {
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
    Draws draws = weighted({0.0, 1.0, 0.0, 2.5, 0.5, 0.1, 0.7, 14.0, 0.0, 1.0, 1e-9, 3.0, 0.0, 0.0});
    for (const Blocks blocks : {Blocks{}, Blocks{4, 2}, Blocks{3, 100}, Blocks{1000, 1}}) {
        draws.blocks = blocks;
        expect_numbered(draws);
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
            const auto found = images_of_epoch(loader).at("numbers/0 0");
            ASSERT_GT(found.size(), 15U);
            EXPECT_EQ((std::set(found.begin(), found.end()).size()), found.size());
            Chain::Worker worker(chain);
            EXPECT_EQ(std::ranges::count(found, bytes_of(worker.make(epoch, 22).fields[0])), 1) << epoch;
        }
    }
    expect_same_for_any_threads(chain, images(0), 12);
}

TEST(repeats, give_one_hash_of_an_epoch_also_of_a_resumed_run) {
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
    const auto found = images_of_epoch(loader).at("numbers/0 0");
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
    for (const auto& [name, found] : images_of_epoch(loader)) {
        twice += found.size() == 2 ? 1 : 0;
        EXPECT_EQ((std::set(found.begin(), found.end()).size()), found.size()) << name;
    }
    EXPECT_EQ(twice, 1U);
}

}  // namespace
}  // namespace sluice::data
