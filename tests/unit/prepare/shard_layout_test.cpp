// How samples are divided among shards.
#include "prepare/shard_layout.hpp"

#include <gtest/gtest.h>

namespace sluice::prepare {
namespace {

TEST(PrepareShardLayout, gives_the_last_shard_the_rest) {
    const ShardLayout layout(10, 100.0, 450);
    EXPECT_EQ(layout.samples_per_shard(), 4U);
    EXPECT_EQ(layout.shards(), 3U);
    EXPECT_EQ(layout.first(1), 4U);
    EXPECT_EQ(layout.end(1), 8U);
    EXPECT_EQ(layout.first(2), 8U);
    EXPECT_EQ(layout.end(2), 10U);
}

TEST(PrepareShardLayout, has_at_least_one_sample_per_shard) { EXPECT_EQ(ShardLayout(10, 100.0, 1).shards(), 10U); }

TEST(PrepareShardLayout, has_at_least_one_shard) {
    EXPECT_EQ(ShardLayout(10, 100.0, 1 << 20).samples_per_shard(), 10U);
    EXPECT_EQ(ShardLayout(10, 0.0, 1 << 20).shards(), 1U) << "samples may have no bytes";
}

}  // namespace
}  // namespace sluice::prepare
