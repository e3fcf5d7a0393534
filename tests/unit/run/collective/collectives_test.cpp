// Collectives of two replicas, which are threads of this process, with the strategy from disk.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <vector>

#include "run/collective/bucket_gather.hpp"
#include "run/collective/collectives.hpp"
#include "run/collective/sharing.hpp"
#include "run/collective/vote.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

class RunCollectives : public testing::Test {
protected:
    // Runs work(rank, its collectives) in both replicas at the same time.
    template <class Work>
    void by_both(const Work& work) {
        const auto by_one = [&](std::uint32_t rank) {
            const run::Threads threads(1);
            run::Collectives collectives({.strategy = &strategy_, .local_rank = rank, .rank = rank, .world = 2},
                                         *bench_.tools.device, threads.api(), nullptr);
            collectives.begin_batch(10.0);
            work(rank, collectives);
        };
        std::thread second([&] { by_one(1); });
        by_one(0);
        second.join();
    }

    PlanBench bench_{{"strategy={ use = \"mirrored\", replicas = 2 }"}};
    registry::Strategy strategy_ = run::open_strategy(bench_.spec, bench_.tools, 2);
};

TEST_F(RunCollectives, gather_brings_the_slices_of_both) {
    std::array<std::vector<float>, 2> flat;
    by_both([&](std::uint32_t rank, run::Collectives& collectives) {
        const plan::Buckets buckets(1024, {.bucket = 1024, .replicas = 2, .rank = rank});
        EXPECT_GT(buckets.all().size(), 1U);
        flat[rank].assign(buckets.elements(), 0.0F);
        run::BucketGather gather(collectives, buckets);
        for (const float value : {1.0F, 10.0F}) {  // the second round begins at the first bucket again
            for (const plan::Range& bucket : buckets.all()) {
                const plan::Range own = buckets.own(bucket);
                std::fill_n(flat[rank].begin() + static_cast<std::ptrdiff_t>(own.begin), own.count(),
                            value + static_cast<float>(rank));
            }
            gather.gather(flat[rank].data(), "values");
        }
    });
    EXPECT_EQ(flat[0], flat[1]);
    EXPECT_EQ(std::ranges::count(flat[0], 10.0F), std::ranges::count(flat[0], 11.0F));
    EXPECT_EQ(std::ranges::count(flat[0], 10.0F) * 2, static_cast<std::ptrdiff_t>(flat[0].size()));
}

TEST_F(RunCollectives, a_vote_needs_both) {
    std::array<std::vector<bool>, 2> votes;
    std::array<double, 2> sums{1.0, 2.0};
    by_both([&](std::uint32_t rank, run::Collectives& collectives) {
        const run::Vote vote(bench_.tools.device, nullptr, collectives);
        votes[rank] = {vote.all_vote_yes(true, "first"), vote.all_vote_yes(rank == 0, "second"),
                       vote.all_vote_yes(false, "third")};
        collectives.sum(&sums[rank], 1, "sum");
        EXPECT_GT(collectives.busy_since(), 0.0);
    });
    EXPECT_EQ(votes[0], (std::vector<bool>{true, false, false}));
    EXPECT_EQ(votes[1], votes[0]);
    EXPECT_EQ(sums, (std::array<double, 2>{3.0, 3.0}));
}

TEST(RunCollectiveNames, buckets_are_numbered_from_one) {
    EXPECT_EQ(run::bucket_names("gradients", 2), (std::vector<std::string>{"gradients 1 of 2", "gradients 2 of 2"}));
}

}  // namespace
}  // namespace sluice::test
