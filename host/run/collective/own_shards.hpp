// The shards of a batch that a replica computes: their numbers and their samples.
#pragma once

#include <cstdint>

#include "data/loader/loader.hpp"
#include "run/network/replica_place.hpp"

namespace sluice::run {

// The first sample of shard `number` of a batch of `samples` that has `shards`: their sizes differ by one at most, and
// the first has as many as any.
std::int64_t first_of_shard(std::int64_t number, std::int64_t shards, std::int64_t samples);

class OwnShards {
public:
    explicit OwnShards(const ReplicaPlace& place);

    // Of a batch, over all replicas.
    [[nodiscard]] std::int64_t of_batch() const { return of_batch_; }
    // The replica's own are those from begin() to before end().
    [[nodiscard]] std::int64_t begin() const { return begin_; }
    [[nodiscard]] std::int64_t end() const { return begin_ + count_; }
    [[nodiscard]] std::int64_t count() const { return count_; }

    // Of one shard, which may have none; without those that are left out, so that shards do not depend on them. The
    // batch itself where that is all of it; else a copy, which stays until the next call.
    const data::Batch& samples(std::int64_t shard, const data::Batch& batch);
    // The batch's first sample, a copy as well: for the shapes where a shard has none.
    const data::Batch& first_sample(const data::Batch& batch);

private:
    std::int64_t of_batch_;
    std::int64_t count_;
    std::int64_t begin_;
    data::Batch samples_;
};

}  // namespace sluice::run
